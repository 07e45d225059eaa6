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

// There navigations of subframes are not announced.
app.on('web-contents-created', (_event, contents) => {
  contents.on('will-navigate', (event, url) => {
    contents.emit('will-frame-navigate', Object.assign(event, { url, isMainFrame: true }))
  })
})
