import type { Page } from '@playwright/test'

import { expectStatus, install, openServer, pidOf } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, isAlive, test } from './fixtures/patchbay-test'
import { callButton, openTool, resultOf, writeArguments } from './fixtures/trial-page'

/** Loads the page anew with its sockets kept, so that `window.cut()` cuts them as a network would. */
async function keepSockets(page: Page): Promise<void> {
  await page.addInitScript(`
    const Real = WebSocket
    window.cut = () => window.sockets.splice(0).forEach((socket) => socket.close())
    window.sockets = []
    window.WebSocket = class extends Real {
      constructor(...args) { super(...args); window.sockets.push(this) }
    }`)
  // The link is changed into the tab's own token by then.
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await page.reload()
}

test.describe('D7: the browser way in', () => {
  test.use({ settings: { startsAgain: false } })

  test(
    'shows and does nothing without its token, and a link works once',
    { tag: '@gate' },
    async ({ openServe, openWindow }) => {
      const served = await openServe()
      const origin = new URL(served.link).origin
      const stranger = await openWindow(origin)
      await expect(stranger.getByText(/from its link/iu).first()).toBeVisible()
      await expect(stranger.getByRole('navigation')).toHaveCount(0)

      const owner = await openWindow(served.link)
      await expect(owner.getByRole('navigation', { name: 'Main' })).toBeVisible()
      expect(owner.url()).not.toContain('token')
      await owner.reload()
      await expect(owner.getByRole('navigation', { name: 'Main' })).toBeVisible()

      // Only the fragment of the address changes.
      await stranger.goto(served.link)
      await expect(stranger).not.toHaveURL(/token/u)
      await expect(stranger.getByText(/from its link/iu).first()).toBeVisible()

      // A second command on the same profile finds the first and brings a new link.
      const link = await served.anotherLink()
      expect(new URL(link).origin).toBe(origin)
      await stranger.goto(link)
      await expect(stranger.getByRole('navigation', { name: 'Main' })).toBeVisible()
      await expect(stranger).not.toHaveURL(/token/u)
      expect(await served.close()).toBe(0)
    },
  )

  test(
    'connects again by itself and shows what happened meanwhile',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      await keepSockets(page)
      await install(page, fixtureServer('plain.mjs'), 'Plain')
      await expectStatus(page, 'Plain', 'Ready')
      await openServer(page, 'Plain')
      const pid = await pidOf(page)
      await page.evaluate(`window.cut()`)
      process.kill(pid, 'SIGKILL')
      await expectStatus(page, 'Plain', 'Error')
    },
  )

  test('shows again what is tried when its line was cut meanwhile', async ({ app: { page } }) => {
    await keepSockets(page)
    await install(page, fixtureServer('works.mjs'), 'Works')
    await expectStatus(page, 'Works', 'Ready')
    await openTool(page, 'Works', 'slow')
    await writeArguments(page, '{"every": 20}')
    await callButton(page).click()
    await expect(page.getByText(/^Step \d/u)).toBeVisible()
    await page.evaluate(`window.cut()`)
    await expect.poll(() => page.evaluate('window.sockets.length')).toBe(1)
    await expect(page.getByText(/^Step \d/u)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect(resultOf(page)).toContainText('Canceled')
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(
      `stops all servers on ${signal} (B6)`,
      { tag: signal === 'SIGTERM' ? ['@gate'] : [] },
      async ({ openServe, openWindow }) => {
        const served = await openServe()
        const page = await openWindow(served.link)
        await install(page, fixtureServer('family.mjs'), 'Family')
        await expectStatus(page, 'Family', 'Ready')
        const children = descendantsOf(served.pid)
        expect(children.length).toBeGreaterThan(1)
        expect(await served.close(signal)).toBe(0)
        expect(children.filter((pid) => isAlive(pid))).toEqual([])
      },
    )
  }
})
