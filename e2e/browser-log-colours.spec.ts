import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expectStatus, goTo, install, logOf, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const THEMES = ['Light', 'Dark', 'Dark contrast', 'Light contrast'] as const

/** Where the log's text does not stand out enough: 4.5 to 1, or 7 to 1 in the themes of high contrast. */
async function faintTexts(page: Page, isHigh: boolean): Promise<string[]> {
  const rule = isHigh ? 'color-contrast-enhanced' : 'color-contrast'
  const { violations, passes } = await new AxeBuilder({ page })
    .setLegacyMode()
    .include('.lines')
    .withRules([rule])
    .analyze()
  expect(passes.flatMap(({ nodes }) => nodes).length, 'texts that were measured').toBeGreaterThan(
    30,
  )
  return violations.flatMap(({ nodes }) =>
    nodes.map(({ html, any }) => `${html} ${any[0]?.message}`),
  )
}

test.describe('B1: colours in the log of a server', () => {
  test('are those of the theme and can be read in each, whatever the server asked for', async ({
    app: { page },
  }) => {
    await page.setViewportSize({ width: 1280, height: 1_400 })
    await install(page, fixtureServer('colours.mjs'), 'Painter')
    await expectStatus(page, 'Painter', 'Ready')
    for (const theme of THEMES) {
      await goTo(page, 'Settings')
      await page.getByRole('radio', { name: theme, exact: true }).click()
      await openServer(page, 'Painter', 'Log')
      const log = logOf(page, 'Painter')
      await log.press('Home')
      await expect(log.locator('.term-green').first()).toHaveText('green')
      expect.soft(await faintTexts(page, theme.includes('contrast')), theme).toEqual([])
    }
  })

  test('leave the words as they are for search, copy and every reader', async ({
    app: { page },
  }) => {
    await install(page, fixtureServer('colours.mjs'), 'Painter')
    await expectStatus(page, 'Painter', 'Ready')
    await openServer(page, 'Painter', 'Log')
    const log = logOf(page, 'Painter')
    const search = page.getByRole('searchbox', { name: 'Search the log' })
    await search.fill('cannot read config.json: ENOENT')
    await expect(page.getByText(/1 of 1/u)).toBeVisible()
    await expect(log.locator('mark')).toHaveText('cannot read config.json: ENOENT')
    await expect(log.locator('.lv-error', { has: page.locator('mark') })).toBeVisible()
    await search.fill('concealed')
    await expect(log.locator('mark')).toBeVisible()
    await search.fill('black on black')
    await expect(log.locator('mark')).toBeVisible()
    await search.fill('a link and no cursor')
    await expect(page.getByText(/1 of 1/u)).toBeVisible()
    await search.fill('')
    await expect(log.getByText('the line goes on below').first()).toBeVisible()
    await expect(log.getByText('last of them')).toBeVisible()
  })
})

test.describe('B1: log files in the settings', () => {
  test('show what they take, keep to a limit that is typed, and can be deleted', async ({
    app: { page, profileDir },
  }) => {
    await install(page, fixtureServer('colours.mjs'), 'Painter')
    await expectStatus(page, 'Painter', 'Ready')
    await goTo(page, 'Settings')
    const logs = page.getByRole('region', { name: 'Logs' })
    await expect(logs.getByText(`${profileDir}/logs`)).toBeVisible()
    await expect(async () => {
      await goTo(page, 'Home')
      await goTo(page, 'Settings')
      await expect(logs.getByText(/^[\d.]+ KB in 1 file$/u)).toBeVisible({ timeout: 1_000 })
    }).toPass()

    const space = logs.getByLabel('Space for the log files of one server, MB')
    await space.fill('0')
    await space.press('Enter')
    await expect(logs.getByText('Enter a whole number from 1 to 1000.')).toBeVisible()
    await space.fill('3')
    await space.press('Enter')
    await expect(logs.getByText('Enter a whole number')).toBeHidden()

    await logs.getByRole('button', { name: 'Delete log files' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByRole('button', { name: 'Keep' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Delete log files' }).click()
    await expect(dialog).toBeHidden()
    await expect(logs.getByText('No log files yet.')).toBeVisible()
    await expect(logs.getByRole('button', { name: 'Delete log files' })).toBeHidden()

    await page.reload()
    await expect(page.getByLabel('Space for the log files of one server, MB')).toHaveValue('3')
  })
})
