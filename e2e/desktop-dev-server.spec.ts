import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { expect, test } from './fixtures/desktop-test'

/** A page whose script stands in it, as a development server's does. */
const PAGE = `<!doctype html><title>Patchbay</title><h1>From the built files</h1>
<script type="module">document.querySelector('h1').textContent = 'From the development server'</script>`

test.describe('D1 the desktop app in development', () => {
  test('shows the page of the development server, with the bridge and at its own address', async ({
    desktop,
  }) => {
    const server = createServer((request, response) => {
      const isPage = request.url === '/index.html'
      response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      response.end(isPage ? PAGE : '')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as AddressInfo
      const env = { ELECTRON_RENDERER_URL: `http://127.0.0.1:${String(port)}` }
      const { page } = await desktop.launch(env)
      await expect(page.getByRole('heading')).toHaveText('From the development server')
      expect(await page.evaluate(() => typeof bridge.requests)).toBe('object')
    } finally {
      server.close()
    }
  })
})
