import { contrastsIn } from './fixtures/axe-faults'
import { chooseTheme, goTo, installReady, logOf, openServer, openSettings } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const THEMES = ['Light', 'Dark', 'High contrast dark', 'High contrast light'] as const

test.describe("B1: colors in a server's log", () => {
  test('follow the theme and are readable, whatever the server printed', async ({
    app: { page },
  }) => {
    await page.setViewportSize({ width: 1280, height: 1_400 })
    await installReady(page, fixtureServer('colours.mjs'), 'Painter')
    for (const theme of THEMES) {
      await chooseTheme(page, theme)
      await openServer(page, 'Painter', 'Log')
      const log = logOf(page, 'Painter')
      // The lines follow and scroll to their end.
      await expect(log).toContainText('last of them')
      await log.press('Home')
      await expect(log.locator('.text-status.is-ready').first()).toHaveText('green')
      // Text in layout can't be measured.
      let faint: readonly string[] = []
      await expect
        .poll(async () => {
          const texts = await contrastsIn(page, '.lines', theme.includes('contrast'))
          faint = texts.faint
          return texts.measured
        })
        .toBeGreaterThan(30)
      expect.soft(faint, theme).toEqual([])
    }
  })
})

test.describe('B1: log files in the settings', () => {
  test('show their size, respect a typed limit, and can be deleted', async ({
    app: { page, profileDir },
  }) => {
    await installReady(page, fixtureServer('colours.mjs'), 'Painter')
    await openSettings(page, 'Servers')
    const logs = page.getByRole('region', { name: 'Log files' })
    await expect(logs.getByText(`${profileDir}/logs`)).toBeVisible()
    await expect(async () => {
      await goTo(page, 'Home')
      await openSettings(page, 'Servers')
      await expect(logs.getByText(/^[\d.]+ KB in 1 file$/u)).toBeVisible({ timeout: 1_000 })
    }).toPass()

    await logs.getByRole('button', { name: 'Delete log files' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Delete log files' }).click()
    await expect(dialog).toBeHidden()
    await expect(logs.getByText('No log files yet.')).toBeVisible()
    await expect(logs.getByRole('button', { name: 'Delete log files' })).toBeHidden()

    await openSettings(page, 'Advanced')
    const space = page.getByRole('textbox', { name: 'Log size per server (MB)' })
    await space.fill('0')
    await space.press('Enter')
    await expect(page.getByText('Enter a whole number from 1 to 1,000.')).toBeVisible()
    await space.fill('3')
    await space.press('Enter')
    await expect(page.getByText('Enter a whole number')).toBeHidden()
    await page.reload()
    await expect(space).toHaveValue('3')
  })
})
