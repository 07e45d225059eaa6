import { expect, snapshot, test } from './fixtures/desktop-test'
import { manyServers } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { startNameProxy } from './fixtures/name-proxy'

/** An environment without proxies, whatever the machine has. */
const NO_PROXIES = { HTTP_PROXY: '', HTTPS_PROXY: '', http_proxy: '', https_proxy: '' }

test.describe("D2: the desktop's proxy", () => {
  test('is used to fetch a registry', async ({ desktop }) => {
    await using registry = await startLocalRegistry(manyServers(120))
    const proxy = await startNameProxy(Number(new URL(registry.url).port))
    const app = await desktop.launch(NO_PROXIES)
    await app.evaluate(({ session }, place) => {
      session.defaultSession.resolveProxy = () => Promise.resolve(`PROXY ${place}; DIRECT`)
    }, new URL(proxy.url).host)
    await app.page.evaluate(() =>
      bridge.requests['settings.update']({ registryUrl: 'http://registry.invalid' }),
    )
    await expect.poll(async () => (await snapshot(app)).catalog.servers).toBe(134)
    expect(proxy.names).toContain('registry.invalid:80')
    proxy.close()
  })
})
