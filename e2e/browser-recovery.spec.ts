import type { Page } from '@playwright/test'

import {
  expectStatus,
  goTo,
  install,
  installReady,
  logOf,
  openServer,
  openSettings,
  pidOf,
  serverLink,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, isAlive, test } from './fixtures/patchbay-test'
import { recordStatuses, statusRecord } from './fixtures/status-record'

/** Longer than any test. */
const LONG_MS = 600_000

function button(page: Page, name: string) {
  return page.getByRole('main').getByRole('button', { name, exact: true })
}

async function reconnect(page: Page): Promise<void> {
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Reconnect' }).click()
}

test.describe("A8: a server that doesn't start", () => {
  test.use({ settings: { firstWaitMs: LONG_MS, longestWaitMs: LONG_MS } })

  test(
    'counts down to the next retry, which can be skipped or canceled, and pauses after the last',
    { tag: '@gate' },
    async ({ app: { page, pid } }) => {
      const resting = descendantsOf(pid).length
      await install(page, fixtureServer('exits.mjs'), 'Exits')
      await expectStatus(page, 'Exits', 'Retrying')
      await openServer(page, 'Exits')
      await recordStatuses(page)
      const main = page.getByRole('main')
      await expect(main).toContainText('The server exited with code 3 before it responded.')
      await expect(main).toContainText('SERVER_EXITED')
      await expect(main).toContainText('Missing the one thing it needs')
      await expect(main).toContainText(/Next try in \d+ min( \d+ s)?, attempt 2 of 5\./u)

      // The text follows the time, but only status changes are announced.
      const countdowns = async (): Promise<number> =>
        new Set((await statusRecord(page)).messages).size
      await expect.poll(countdowns).toBeGreaterThan(2)
      expect((await statusRecord(page)).said.length).toBeLessThanOrEqual(1)

      await button(page, 'Try now').click()
      await expect
        .poll(async () => (await statusRecord(page)).said.join('\n'))
        .toMatch(/Exits is starting\..*Exits is retrying\./su)
      await openServer(page, 'Exits', 'Log')
      await expect(logOf(page, 'Exits').getByText('Missing the one thing it needs')).toHaveCount(2)
      await openServer(page, 'Exits')

      await button(page, 'Stop retrying').click()
      await expectStatus(page, 'Exits', 'Stopped')
      expect(descendantsOf(pid).length).toBe(resting)

      await openSettings(page, 'Advanced')
      const section = page.getByRole('region', { name: 'Restarting servers' })
      const tries = section.getByRole('textbox', { name: 'Pause after failed starts' })
      await tries.fill('1')
      await tries.press('Enter')
      await expect(
        section.getByRole('button', { name: 'Reset Pause after failed starts' }),
      ).toBeVisible()
      await openServer(page, 'Exits')
      await button(page, 'Start').click()
      await expectStatus(page, 'Exits', 'Paused')
      await expect(main).toContainText('The server exited with code 3 before it responded.')
    },
  )

  test('offers to start it now in its row, which gives the focus to its link', async ({
    app: { page },
  }) => {
    await install(page, fixtureServer('plain.mjs'), 'Plain')
    await install(page, fixtureServer('exits.mjs'), 'Exits')
    const rowOf = (name: string) =>
      page.getByRole('row', { name: new RegExp(`^(?:Select )?${name}`, 'u') })
    const heightOf = async (name: string) => (await rowOf(name).boundingBox())?.height
    for (const place of ['Home', 'Servers'] as const) {
      await expectStatus(page, 'Exits', 'Retrying')
      await goTo(page, place)
      await recordStatuses(page)
      const row = rowOf('Exits')
      const link = row.getByRole('link', { name: 'Exits' })
      await link.focus()
      await page.keyboard.press('Tab')
      await expect(row.getByRole('button', { name: 'Try now, Exits' })).toBeFocused()
      await expectStatus(page, 'Plain', 'Ready')
      expect(await heightOf('Exits')).toBe(await heightOf('Plain'))
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => (await statusRecord(page)).said.join('\n'))
        .toMatch(/Exits is starting\..*Exits is retrying\./su)
      await expect(link).toBeFocused()
    }
    await expect(rowOf('Plain').getByRole('button', { name: /^Try now/u })).toHaveCount(0)
  })
})

test.describe('C2: a reconnect', () => {
  test('replaces the old process, and the server stays Ready', async ({ app: { page } }) => {
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openServer(page, 'Plain')
    const old = await pidOf(page)
    await recordStatuses(page)
    await reconnect(page)
    await expect.poll(() => pidOf(page)).not.toBe(old)
    await expect.poll(() => isAlive(old)).toBe(false)
    // The end is announced too.
    const spoken = page.getByRole('status', { name: 'Status changes' })
    await expect(spoken).toHaveText('Plain has a new connection.')
    const { links, said } = await statusRecord(page)
    expect(links).toEqual(['Plain, Ready'])
    expect(said).toContain('Plain is reconnecting.')
    await expect(serverLink(page, 'Plain', 'Ready')).toBeVisible()

    // Each announcement is a new node: equal texts are spoken twice.
    await page.evaluate(
      `window.spokenNode = document.querySelector('[aria-label="Status changes"]').firstChild`,
    )
    await reconnect(page)
    await expect.poll(async () => (await statusRecord(page)).said.length).toBe(said.length + 2)
    await expect(spoken).toHaveText('Plain has a new connection.')
    expect(await page.evaluate<boolean>('window.spokenNode.isConnected')).toBe(false)
  })
})

test.describe('B6: stop', () => {
  test('a second Stop immediately ends a server that ignores everything', async ({
    app: { page, pid },
  }) => {
    const resting = descendantsOf(pid).length
    await install(page, fixtureServer('stubborn.mjs'), 'Stubborn')
    await expectStatus(page, 'Stubborn', 'Starting')
    await openServer(page, 'Stubborn', 'Log')
    await expect(logOf(page, 'Stubborn')).toContainText('Not leaving')
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await expectStatus(page, 'Stubborn', 'Stopping')
    await page.getByRole('button', { name: 'End now' }).first().click()
    await expect(logOf(page, 'Stubborn')).toContainText('SIGTERM ignored')
    await expectStatus(page, 'Stubborn', 'Stopped')
    expect(descendantsOf(pid).length).toBe(resting)
  })
})
