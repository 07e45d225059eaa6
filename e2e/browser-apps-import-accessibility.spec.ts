import type { Page } from '@playwright/test'

import { HomeWithApps, serverFile } from './fixtures/home-with-apps'
import { addUnapproved, openImport, rowsOf } from './fixtures/import-page'
import { expect, test } from './fixtures/patchbay-test'

function serversOf(count: number, secret: string): string {
  const mcpServers: Record<string, object> = {}
  for (let at = 0; at < count; at += 1) {
    const args = [serverFile('plain'), `--place=${at}`]
    mcpServers[`server-${at}`] = { command: 'node', args, env: { API_KEY: secret } }
  }
  return JSON.stringify({ mcpServers }, null, 2)
}

/** How far the window would have to be scrolled to the side. */
function overhang(page: Page): Promise<number> {
  return page.evaluate(
    'document.querySelector("#main").scrollWidth - document.querySelector("#main").clientWidth',
  )
}

test.describe('the import screen (D6)', () => {
  test('draws of many servers what is in view, finds one of them, and leads through all by key', async ({
    openApp,
  }) => {
    using home = new HomeWithApps()
    home.write('cursor', serversOf(200, 'sk-live-the-only-secret-here-3'))
    const { page } = await openApp({ env: home.env })
    await openImport(page)
    await expect(page.getByText('200 of 200 servers, 200 secrets')).toBeVisible()
    expect(await rowsOf(page).count()).toBeLessThan(60)
    await rowsOf(page).first().getByRole('checkbox').focus()
    await page.keyboard.press('End')
    await expect(page.getByRole('checkbox', { name: 'Import server-199' })).toBeFocused()
    await page.keyboard.press('Home')
    await expect(page.getByRole('checkbox', { name: 'Import server-0' })).toBeFocused()
    await page.getByRole('searchbox', { name: 'Search found servers' }).fill('place=17')
    await expect(rowsOf(page)).toHaveCount(11)
    await page.getByRole('button', { name: 'Clear all shown' }).click()
    await expect(page.getByText('189 of 200 servers, 189 secrets')).toBeVisible()
  })

  test('imports in the least window at 200 % zoom', async ({ openApp }) => {
    using home = new HomeWithApps()
    home.write('cursor', serversOf(3, 'sk-live-the-only-secret-here-3'))
    const { page } = await openApp({ env: home.env })
    await page.setViewportSize({ width: 450, height: 300 })
    await openImport(page)
    await page.getByRole('checkbox', { name: 'Import server-1' }).uncheck()
    expect(await overhang(page)).toBe(0)
    await page.getByRole('checkbox', { name: 'Turn off in original apps' }).check()
    await page.getByRole('button', { name: 'Review file changes' }).click()
    await addUnapproved(page, 2)
    await expect(page.getByRole('heading', { name: '2 servers imported' })).toBeVisible()
    expect(await overhang(page)).toBe(0)
  })
})
