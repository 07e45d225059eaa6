import type { Page } from '@playwright/test'

import {
  addApp,
  appRow,
  chooseInEntry,
  openApp as openSettings,
  openConnect,
  settingsOf,
} from './fixtures/apps-page'
import { faultsOf } from './fixtures/axe-faults'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HostHome } from './fixtures/host-files'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const FILES = ['read', 'write', 'list'].map((name) => ({ name, description: `Does ${name}.` }))

async function check(page: Page, what: string): Promise<void> {
  for (const theme of ['light', 'dark', 'contrast', 'contrast-light']) {
    await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
    expect.soft(await faultsOf(page, theme), `${what}, ${theme}`).toEqual([])
  }
}

test('the Apps page, an app, and their dialogs pass axe in all four themes', async ({
  openApp,
  profileDir,
}) => {
  using home = new HostHome()
  home.write('cursor', '{"mcpServers":{"one":{"command":"a"}}}')
  home.write('claudeDesktop', '{ "broken"')
  const { page } = await openApp({ env: home.env })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await installTools(page, profileDir, 'Files', FILES)
  await goTo(page, 'Apps')
  await expect(appRow(page, 'Claude Desktop')).toBeVisible()
  await page.getByText('Supported apps not found here').click()
  await check(page, 'first')
  const close = async (): Promise<void> => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  const dialog = await openConnect(page, 'Cursor')
  await check(page, 'connect')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(dialog.getByRole('status')).toContainText('Waiting for')
  await check(page, 'connection check')
  await dialog.getByRole('button', { name: 'Done' }).click()
  home.write('cursor', home.read('cursor').replace('"bridge"', '"bridge", "--verbose"'))
  await page.getByRole('button', { name: 'Refresh apps' }).click()
  const settings = await openSettings(page, 'Cursor')
  await expect(settings).toContainText('Needs repair')
  await settings.getByRole('textbox', { name: 'Tool limit' }).fill('2')
  await page.keyboard.press('Enter')
  await expect(settings).toContainText('1 tool over the limit of 2.')
  await check(page, 'app')
  await settings.getByRole('button', { name: /^Choose tools of Files/u }).click()
  await check(page, 'tools')
  await close()
  await settings.getByRole('button', { name: 'Copy config' }).click()
  await check(page, 'config')
  await close()
  await chooseInEntry(page, 'Cursor', 'Disconnect')
  await expect(page.getByRole('dialog')).toContainText('~/.cursor/mcp.json')
  await check(page, 'disconnect')
  await close()
  await addApp(page, 'Script')

  // At 200% of 900 × 600 everything scrolls into view, and nothing sideways.
  await page.setViewportSize({ width: 900, height: 600 })
  await page.evaluate('document.documentElement.style.fontSize = "200%"')
  await expect(page.getByRole('heading', { name: 'Script', level: 1 })).toBeVisible()
  const test = settingsOf(page, 'Script').getByRole('button', { name: 'Test connection' })
  await test.scrollIntoViewIfNeeded()
  await expect(test).toBeInViewport()
  await check(page, 'narrow')
  await goTo(page, 'Apps')
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})
