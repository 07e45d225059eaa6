import { approve, expectStatus, install, openServer, pidOf, setUp } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, isAlive, test } from './fixtures/patchbay-test'

test.describe('B7: a killed server', () => {
  test.use({ settings: { startsAgain: false } })

  test('is named by its signal, even behind a runner', async ({ app: { page } }) => {
    await setUp(page, 'Memory')
    await approve(page)
    await expectStatus(page, 'Memory', 'Ready')
    await openServer(page, 'Memory')
    const runner = await pidOf(page)
    process.kill(descendantsOf(runner).at(-1) ?? runner, 'SIGKILL')
    await expectStatus(page, 'Memory', 'Error')
    await expect(page.getByRole('main')).toContainText('SIGKILL')
  })
})

test.describe('B6 and D1: quitting and reopening', () => {
  // One server hangs as long as the others need.
  test.use({ settings: { handshakeMs: 300_000 } })

  test('leaves no child and restores the servers', { tag: '@gate' }, async ({ openApp }) => {
    const app = await openApp()
    await setUp(app.page, 'Memory')
    await approve(app.page)
    await install(app.page, fixtureServer('family.mjs'), 'Family')
    await install(app.page, fixtureServer('silent.mjs'), 'Hangs')
    await expectStatus(app.page, 'Memory', 'Ready')
    await expectStatus(app.page, 'Family', 'Ready')
    await openServer(app.page, 'Family')
    const servers = [await pidOf(app.page)]
    await openServer(app.page, 'Memory')
    servers.push(await pidOf(app.page))
    const children = [...servers, ...servers.flatMap((pid) => descendantsOf(pid))]
    expect(await app.close()).toBe(0)
    expect(children.filter((pid) => isAlive(pid))).toEqual([])

    const again = await openApp()
    await expectStatus(again.page, 'Memory', 'Ready')
    await expectStatus(again.page, 'Family', 'Ready')
    await expectStatus(again.page, 'Hangs', 'Starting')
  })
})
