import { createServer, type ServerResponse } from 'node:http'

import { expect, type Page, test } from '@playwright/test'
import { WebSocketServer } from 'ws'

import { listen, shut } from './fixtures/loopback'
import { PROBES } from './fixtures/view-page'
import { hostilePage } from './servers/view-pages.mjs'
import { CHROMIUM_ARGS } from './ways-in/chromium-args'

/** One second of silence, which a video element accepts too. */
function silence(): Buffer {
  const samples = Buffer.alloc(8_000, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, 8_000],
    [28, 8_000],
    [40, samples.length],
  ] as const)
    head.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    head.writeUInt16LE(value, at)
  head.write('data', 36)
  return Buffer.concat([head, samples])
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A page that hosts the hostile one without any protection: no policy, no sandbox, one origin, an answer to everything. */
function hostPage(address: string): string {
  return `<!doctype html><title>Host</title>
<script>
  globalThis.bridge = 'of the host'
  const input = { method: 'ui/notifications/tool-input', params: { arguments: { page: '${address}', peer: '${address}' } } }
  globalThis.answersTo = ({ id, method }) => [
    ...(id === undefined ? [] : [{ id, result: { content: 'called' } }]),
    ...(method === 'ui/notifications/initialized' ? [input] : []),
  ]
</script>
<script>
  // The other view is there before the hostile one looks for it.
  globalThis.showHostile = () => document.body.append(Object.assign(document.createElement('iframe'), { src: '/around' }))
</script>
<body><iframe src="/around-other" onload="showHostile()"></iframe></body>`
}

const AROUND = (inner: string): string => `<!doctype html><title>Around</title>
<iframe allow="camera; clipboard-read; geolocation" src="${inner}"></iframe>
<script>
  addEventListener('message', ({ source, data }) => {
    for (const answer of top.answersTo(data)) source.postMessage({ jsonrpc: '2.0', ...answer }, '*')
  })
</script>`

const ANSWERS: Readonly<Record<string, { type: string; body: string | Buffer }>> = {
  '/around': { type: 'text/html', body: AROUND('/hostile') },
  '/around-other': { type: 'text/html', body: AROUND('/other') },
  '/other': { type: 'text/html', body: '<!doctype html><title>Another view</title>' },
  '/hostile': { type: 'text/html', body: hostilePage(60_000) },
  '/image': { type: 'image/gif', body: PIXEL },
  '/video': { type: 'audio/wav', body: silence() },
  '/script.js': { type: 'text/javascript', body: '' },
  '/worker.js': { type: 'text/javascript', body: 'globalThis.postMessage?.(1)' },
  '/style.css': { type: 'text/css', body: '' },
}

/** Serves the host, the hostile page, and everything it tries to reach. */
async function openHost() {
  const reached = new Set<string>()
  let address = ''
  const respond = (url: string, response: ServerResponse): void => {
    const answer = ANSWERS[url]
    if (url === '/') response.setHeader('content-type', 'text/html').end(hostPage(address))
    else if (url === '/events')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
    // The page that was to be left stays.
    else if (url === '/top' || url === '/parent') response.writeHead(204).end()
    else
      response
        .setHeader('content-type', answer?.type ?? 'text/plain')
        .end(answer?.body ?? 'reached')
  }
  const server = createServer(({ url = '' }, response) => {
    reached.add(url)
    respond(url, response)
  })
  const sockets = new WebSocketServer({ server, path: '/socket' })
  address = `http://127.0.0.1:${String(await listen(server))}`
  return {
    ...{ address, reached },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      await shut(server)
    },
  }
}

const rowsOf = async (page: Page): Promise<string[]> => {
  const frame = page.frames().find((one) => one.url().includes('/hostile'))
  return (await frame?.locator('[data-row]').allTextContents()) ?? []
}

test.use({
  permissions: ['camera', 'clipboard-read', 'geolocation'],
  geolocation: { latitude: 52, longitude: 13 },
  launchOptions: {
    executablePath: process.env.PATCHBAY_CHROMIUM ?? '/usr/bin/chromium',
    args: [...CHROMIUM_ARGS, '--use-fake-device-for-media-stream'],
  },
})

test.describe('E13: the probes of the hostile view', () => {
  test('all succeed without protection', async ({ page }) => {
    await using host = await openHost()
    await page.goto(host.address)
    await expect.poll(() => rowsOf(page)).toContain('over: yes')
    const rows = await rowsOf(page)
    const through = rows.flatMap((row) => /^(?<name>.+): GOT/u.exec(row)?.groups?.name ?? [])
    expect(new Set(through)).toEqual(new Set(PROBES))
    for (const path of ['/beacon', '/ping', '/form', '/frame', '/top', '/parent'])
      await expect.poll(() => [...host.reached]).toContain(path)
  })
})
