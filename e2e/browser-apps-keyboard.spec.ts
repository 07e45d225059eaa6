import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { addApp, appRow, settingsOf } from './fixtures/apps-page'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HomeWithApps } from './fixtures/home-with-apps'
import { expect, test } from './fixtures/patchbay-test'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

test.describe('D6: connecting an app by keyboard', () => {
  test('names, previews, connects, undoes, and returns to the row', async ({ openApp }) => {
    using home = new HomeWithApps()
    home.write('cursor', '{}')
    const { page } = await openApp({ env: home.env })
    await goTo(page, 'Apps')
    const opener = page.getByRole('button', { name: 'Connect Cursor' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' })
    const name = dialog.getByRole('textbox', { name: 'Name' })
    await expect(name).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(name).toBeFocused()
    const diff = dialog.getByRole('region', { name: /^Changes of/u })
    await expect(diff).toContainText('"cursor"')
    await page.keyboard.press('ControlOrMeta+A')
    // A change that wasn't previewed isn't written, however fast the keys come.
    await page.keyboard.type('Bert')
    await page.keyboard.press('Enter')
    expect(home.read('cursor')).toBe('{}')
    await expect(diff).toContainText('bert')
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('status')).toHaveText('Waiting for Bert to read its tools.')
    expect(home.read('cursor')).toContain('"bert"')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Undo' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    expect(home.read('cursor')).toBe('{}')
    await expect(opener).toBeVisible()
  })
  test("offers a project's app while its folder is listed", async ({ openApp }) => {
    using home = new HomeWithApps()
    home.write('cursor', '{}')
    const folder = join(home.path, 'projects')
    mkdirSync(folder)
    const { page } = await openApp({ env: home.env })
    await goTo(page, 'Apps')
    await expect(appRow(page, 'Cursor')).toHaveCount(1)
    const open = async (): Promise<void> =>
      page.getByRole('button', { name: 'Project folders' }).click()
    await open()
    const dialog = page.getByRole('dialog', { name: 'Project folders' })
    await dialog.getByRole('textbox', { name: 'Folder 1' }).fill(join(home.path, 'nowhere'))
    await dialog.getByRole('button', { name: 'Save folders' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Folder 1' }).fill(folder)
    await dialog.getByRole('button', { name: 'Save folders' }).click()
    await expect(dialog).toBeHidden()
    await expect(appRow(page, 'Cursor')).toHaveCount(2)
    await expect(appRow(page, 'Cursor').nth(1)).toContainText('~/projects/.cursor/mcp.json')
    await open()
    await dialog.getByRole('textbox', { name: 'Folder 1' }).fill('')
    await dialog.getByRole('button', { name: 'Save folders' }).click()
    await expect(appRow(page, 'Cursor')).toHaveCount(1)
  })
})

test.describe('D6: the Apps page by keyboard', () => {
  test('arrows move through the list, Enter opens an app, Escape returns', async ({ openApp }) => {
    using home = new HomeWithApps()
    home.write('cursor', '{}')
    const { page } = await openApp({ env: home.env })
    await addApp(page, 'Codex')
    await addApp(page, 'Zed')
    await goTo(page, 'Apps')
    const codex = appRow(page, 'Codex').getByRole('link', { name: 'Codex' })
    const zed = appRow(page, 'Zed').getByRole('link', { name: 'Zed' })
    await codex.focus()
    await page.keyboard.press('ArrowDown')
    await expect(zed).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('button', { name: 'Connect Cursor' })).toBeFocused()
    await page.keyboard.press('Home')
    await expect(codex).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(settingsOf(page, 'Codex')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(settingsOf(page, 'Codex')).toBeHidden()
    await expect(codex).toBeFocused()

    await page.setViewportSize({ width: 900, height: 600 })
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Codex', level: 1 })).toBeVisible()
    await expect(settingsOf(page, 'Codex')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(codex).toBeFocused()

    // Links from when agents and apps had separate pages.
    const { href } = new URL(page.url())
    await page.goto(href.replace(/#.*/u, '#/agents/zed'))
    await expect(page.getByRole('heading', { name: 'Zed', level: 1 })).toBeVisible()
    await expect(page).toHaveURL(/#\/apps\/zed$/u)
    await page.goto(href.replace(/#.*/u, '#/agents?add'))
    // Apps on this computer come first, then any client, then other known apps.
    const apps = page.getByRole('dialog', { name: 'Connect app' }).getByRole('listitem')
    const at = async (name: RegExp): Promise<number> =>
      (await apps.allTextContents()).findIndex((text) => name.test(text))
    expect(await at(/^Any MCP client/u)).toBeLessThan(await at(/Not found on this computer$/u))
    await expect(page).toHaveURL(/#\/apps$/u)
  })
})
