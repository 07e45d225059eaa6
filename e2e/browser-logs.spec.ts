import type { Locator } from '@playwright/test'

import { installReady, linesInView, logOf, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

/** A log line by its number. */
function lineOf(log: Locator, place: number): Locator {
  return log.getByText(`line ${String(place)}`, { exact: true })
}

test.describe("D4: a server's log", () => {
  test('follows new lines, stops when scrolled up, and follows again', async ({
    app: { page },
  }) => {
    await installReady(page, fixtureServer('chatty.mjs'), 'Chatty')
    await openServer(page, 'Chatty', 'Log')
    const log = logOf(page, 'Chatty')
    await expect(lineOf(log, 100)).toBeVisible()
    await expect(lineOf(log, 200)).toBeVisible()

    await log.hover()
    // A turn of the wheel has several steps; lines arrive all the while.
    for (let step = 0; step < 6; step += 1) await page.mouse.wheel(0, -300)
    const back = page.getByRole('button', { name: /new line/u })
    await expect(back).toBeVisible()
    // Scrolling continues for a moment, then stands still despite new lines.
    const standsStill = async (): Promise<boolean> => {
      const held = await linesInView(page)
      const words = (await back.textContent()) ?? ''
      await expect(back).not.toHaveText(words)
      return held.length > 5 && held.join() === (await linesInView(page)).join()
    }
    await expect.poll(standsStill).toBe(true)
    expect(await standsStill()).toBe(true)

    await back.click()
    await expect(back).toBeHidden()
    await expect(lineOf(log, 500)).toBeVisible()
    await expect(back).toBeHidden()
  })

  test('marks stdout noise, can be searched, and is listed in the protocol warnings', async ({
    app: { page },
  }) => {
    await installReady(page, fixtureServer('noisy.mjs'), 'Noisy')
    await openServer(page, 'Noisy', 'Log')
    const log = logOf(page, 'Noisy')
    await expect(log).toContainText('Welcome to the noisy server')
    await expect(log.getByText('stdout, invalid message').first()).toBeVisible()
    await expect(log.getByText('Start 1, by you', { exact: true })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search log' }).fill('welcome')
    await expect(page.getByText(/1 of 1/u)).toBeVisible()

    await openServer(page, 'Noisy', 'Overview')
    await expect(page.getByRole('main')).toContainText('Text on stdout')
  })
})
