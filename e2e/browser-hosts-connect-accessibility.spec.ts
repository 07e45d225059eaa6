import type { Page } from '@playwright/test'

import { appRow, chooseInRow, openConnect } from './fixtures/apps-page'
import { faultsOf } from './fixtures/axe-faults'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HostHome } from './fixtures/host-files'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

async function check(page: Page, what: string): Promise<void> {
  for (const theme of ['light', 'dark', 'contrast', 'contrast-light']) {
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
    expect.soft(await faultsOf(page, theme), `${what}, ${theme}`).toEqual([])
  }
}

test('apps of this computer and their dialogs are free of axe’s faults in all four themes', async ({
  openApp,
  profileDir,
}) => {
  using home = new HostHome()
  home.write('cursor', '{"mcpServers":{"one":{"command":"a"}}}')
  home.write('claudeDesktop', '{ "broken"')
  const { page } = await openApp({ env: home.env })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await installTools(page, profileDir, 'Files', [{ name: 'read' }])
  await goTo(page, 'Agents')
  await expect(appRow(page, 'Cursor')).toBeVisible()
  await page.getByRole('button', { name: /more known app/u }).click()
  await check(page, 'no agents')
  const dialog = await openConnect(page, 'Cursor')
  await check(page, 'connect')
  await dialog.getByRole('button', { name: 'Write to mcp.json' }).click()
  await expect(dialog.getByRole('status')).toContainText('Waiting until')
  await check(page, 'check')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await check(page, 'connected')
  home.write('cursor', home.read('cursor').replace('"--profile"', '"--start",\n"--profile"'))
  await page.getByRole('button', { name: 'Look again', exact: true }).click()
  await expect(appRow(page, 'Cursor')).toContainText('was changed')
  await check(page, 'changed')
  await chooseInRow(page, 'Cursor', 'Disconnect')
  await expect(page.getByRole('region', { name: /^Changes of/u })).toBeVisible()
  await check(page, 'disconnect')
  await page.keyboard.press('Escape')
  await goTo(page, 'Home')
  await expect(page.getByRole('link', { name: 'See the agents, Cursor' })).toBeVisible()
  await check(page, 'home')

  // At 200 % of 900×600 everything still scrolls into view, and nothing sideways.
  await page.setViewportSize({ width: 900, height: 600 })
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  await openConnect(page, 'Cursor', 'Mend')
  const write = page.getByRole('button', { name: 'Write to mcp.json' })
  await write.scrollIntoViewIfNeeded()
  await expect(write).toBeInViewport()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
