import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { appRow, openConnect } from './fixtures/apps-page'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HostHome } from './fixtures/host-files'
import { expect, test } from './fixtures/patchbay-test'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

test.describe('D6: connecting an app', () => {
  test('needs no pointer: name, look, write, undo, and back to where it began', async ({
    openApp,
  }) => {
    using home = new HostHome()
    home.write('cursor', '{}')
    const { page } = await openApp({ env: home.env })
    await goTo(page, 'Agents')
    const opener = page.getByRole('button', { name: 'Connect, Cursor' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' })
    const name = dialog.getByRole('textbox', { name: 'Name of the agent' })
    await expect(name).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()

    await page.keyboard.press('Enter')
    await expect(name).toBeFocused()
    const diff = dialog.getByRole('region', { name: /^Changes of/u })
    await expect(diff).toContainText('"cursor"')
    await page.keyboard.press('ControlOrMeta+A')
    // What was not shown yet is not written, however fast somebody is.
    await page.keyboard.type('Bert')
    await page.keyboard.press('Enter')
    expect(home.read('cursor')).toBe('{}')
    await expect(diff).toContainText('bert')
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('status')).toHaveText('Waiting until Bert lists its tools.')
    expect(home.read('cursor')).toContain('"bert"')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('button', { name: 'Undo' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    expect(home.read('cursor')).toBe('{}')
    await expect(appRow(page, 'Cursor')).toBeFocused()
  })

  test('in one window is seen in the other, and what is taken there is refused here', async ({
    openServe,
    openWindow,
  }) => {
    using home = new HostHome()
    home.write('cursor', '{}')
    const served = await openServe(home.env)
    const page = await openWindow(served.link)
    const other = await openWindow(await served.anotherLink())
    const dialog = await openConnect(page, 'Cursor')
    const late = await openConnect(other, 'Cursor')
    await dialog.getByRole('button', { name: 'Write to mcp.json' }).click()
    await expect(dialog.getByRole('status')).toContainText('Waiting until')
    const written = home.read('cursor')
    await late.getByRole('button', { name: 'Write to mcp.json' }).click()
    // The name is taken: the field says so too, once the page has heard of it.
    await expect(late.getByRole('alert').first()).toBeVisible()
    expect(home.read('cursor')).toBe(written)
    await late.getByRole('button', { name: 'Cancel' }).click()
    await expect(appRow(other, 'Cursor')).toContainText('Connected as Cursor.')
  })

  test('of a project is offered once its folder is named, and no longer when it is not', async ({
    openApp,
  }) => {
    using home = new HostHome()
    home.write('cursor', '{}')
    const folder = join(home.path, 'work')
    mkdirSync(folder)
    const { page } = await openApp({ env: home.env })
    await goTo(page, 'Agents')
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
    await expect(appRow(page, 'Cursor').nth(1)).toContainText(join(folder, '.cursor/mcp.json'))
    await open()
    await dialog.getByRole('textbox', { name: 'Folder 1' }).fill('')
    await dialog.getByRole('button', { name: 'Save folders' }).click()
    await expect(appRow(page, 'Cursor')).toHaveCount(1)
  })
})
