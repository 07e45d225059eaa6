import { expect, test } from './fixtures/desktop-test'
import { serveHttp } from './fixtures/loopback'

/** A page with an inline script, as a development server sends it. */
const PAGE = `<!doctype html><title>Patchbay</title><h1>From the built files</h1>
<script type="module">document.querySelector('h1').textContent = 'From the development server'</script>`

test.describe('D1: the desktop app in development', () => {
  test("shows the development server's page, with the bridge and at its own address", async ({
    desktop,
  }) => {
    await using server = await serveHttp(({ url }, response) => {
      const isPage = url === '/index.html'
      response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      response.end(isPage ? PAGE : '')
    })
    const { page } = await desktop.launch({ ELECTRON_RENDERER_URL: server.address })
    await expect(page.getByRole('heading')).toHaveText('From the development server')
    expect(await page.evaluate(() => typeof bridge.requests)).toBe('object')
  })
})
