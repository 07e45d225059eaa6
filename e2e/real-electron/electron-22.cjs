// What Electron 22 lacks of Electron 45 in the main process.
const { app, protocol } = require('electron')

// Older protocol handlers answer with bytes.
protocol.handle = (scheme, handler) => {
  protocol.registerBufferProtocol(scheme, async (request, answer) => {
    try {
      const response = await handler(new Request(request.url, { method: request.method }))
      if (response.type === 'error') return answer({ error: -2 })
      const headers = Object.fromEntries(response.headers)
      const { 'content-type': contentType = '' } = headers
      const [mimeType, charset] = contentType.split(/;\s*charset=/u)
      const data = Buffer.from(await response.arrayBuffer())
      answer({ statusCode: response.status, headers, mimeType, charset, data })
    } catch {
      answer({ error: -2 })
    }
  })
}
protocol.unhandle = (scheme) => protocol.unregisterProtocol(scheme)

// There only navigations of the page itself are announced; those of frames are seen by their requests.
app.on('web-contents-created', (_event, contents) => {
  contents.on('will-navigate', (event, url) => {
    contents.emit('will-frame-navigate', Object.assign(event, { url, isMainFrame: true }))
  })
  contents.session.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*'] },
    ({ resourceType, url }, decide) => {
      const event = { url, isMainFrame: false, preventDefault: () => (event.cancel = true) }
      if (resourceType === 'subFrame') contents.emit('will-frame-navigate', event)
      decide({ cancel: event.cancel === true })
    },
  )
})
