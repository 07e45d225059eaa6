import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

import { addApp, appRow, openApp as openAppPage, settingsOf } from './fixtures/apps-page'
import { copiedBy } from './fixtures/clipboard'
import { goTo, openSettings } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'

// Each test has its own port.
test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const FILES = ['read', 'write', 'list'].map((name) => ({
  ...{ name, description: `Does ${name}.`, annotations: { readOnlyHint: name !== 'write' } },
}))
const NOTES = ['save', 'find'].map((name) => ({ name }))

/** The gateway's status for a request with this key. */
async function statusFor(url: string, key: string): Promise<number> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  await answer.body?.cancel()
  return answer.status
}

test.describe('D6: any MCP client connects with its own key', () => {
  test(
    'the first opens the gateway; the key is shown once, with entries to copy',
    { tag: '@gate' },
    async ({ app: { page }, profileDir }) => {
      await goTo(page, 'Apps')
      await page.getByRole('button', { name: 'Connect any MCP client' }).click()
      const adding = page.getByRole('dialog', { name: 'Connect MCP client' })
      await adding.getByRole('button', { name: 'Connect', exact: true }).click()
      await expect(adding.getByRole('alert')).toHaveText('Enter a name.')
      await expect(adding.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await adding.getByRole('textbox', { name: 'Name' }).fill('Cursor')
      await adding.getByRole('button', { name: 'Connect', exact: true }).click()

      const dialog = page.getByRole('dialog', { name: 'Connect Cursor' })
      const key = (await dialog.getByRole('region', { name: 'Key' }).textContent()) ?? ''
      expect(key).toMatch(/^pb_[\w-]{43}$/u)
      await page.keyboard.press('Escape')
      await page.mouse.click(4, 4)
      await expect(dialog).toBeVisible()
      const copy = (name: string): Promise<string> =>
        copiedBy(page, () => dialog.getByRole('button', { name: `Copy ${name}` }).click())
      expect(await copy('key')).toBe(key)
      const { mcpServers } = JSON.parse(await copy('entry')) as {
        mcpServers: { patchbay: { url: string; headers: object } }
      }
      expect(mcpServers.patchbay.headers).toEqual({ Authorization: `Bearer ${key}` })
      await dialog.getByRole('radio', { name: 'Command' }).click()
      await dialog.getByRole('radio', { name: 'TOML' }).click()
      const entry = dialog.getByRole('region', { name: 'Entry', exact: true })
      await expect(entry).toContainText('[mcp_servers.patchbay]')
      await expect(entry).toContainText('bridge')
      await expect(entry).not.toContainText(key)
      const { url } = mcpServers.patchbay
      await expect.poll(() => statusFor(url, 'pb_wrong').catch(() => 'shut')).toBe(401)
      expect(await statusFor(url, key)).not.toBe(401)
      await dialog.getByRole('button', { name: 'Done' }).click()

      await expect(settingsOf(page, 'Cursor')).toContainText(`pb_••••${key.slice(-4)}`)
      await expect(settingsOf(page, 'Cursor')).toContainText('Cursor accepts up to 80 tools.')
      await page.getByRole('button', { name: 'Copy config' }).click()
      await expect(page.getByRole('dialog')).toContainText('Bearer KEY')
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      expect(await page.content()).not.toContain(key)
      expect(readFileSync(join(profileDir, 'agents.json'), 'utf8')).not.toContain(key)
      await expect(appRow(page, 'Cursor')).toContainText('HTTP')
    },
  )

  test('a client is renamed with the same key, gets a new key, and is removed', async ({
    app: { page },
    settings,
  }) => {
    const url = `http://127.0.0.1:${String(settings.gatewayPort)}/mcp`
    await addApp(page, 'Codex')
    const key = await addApp(page, 'Zed')
    const choose = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: 'More actions', exact: true }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await choose('Rename')
    const renaming = page.getByRole('dialog', { name: 'Rename Zed' })
    await renaming.getByRole('textbox', { name: 'Name' }).fill('codex')
    await renaming.getByRole('button', { name: 'Rename' }).click()
    await expect(renaming.getByRole('alert')).toContainText('codex')
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Zed at work')
    await renaming.getByRole('button', { name: 'Rename' }).click()
    await expect(appRow(page, 'Zed at work')).toBeVisible()
    expect(await statusFor(url, key)).not.toBe(401)

    await choose('Replace key')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace key' }).click()
    const renewed = page.getByRole('dialog', { name: 'New key of Zed at work' })
    const other = (await renewed.getByRole('region', { name: 'Key' }).textContent()) ?? ''
    expect(await statusFor(url, key)).toBe(401)
    expect(await statusFor(url, other)).not.toBe(401)
    await renewed.getByRole('button', { name: 'Done' }).click()
    await expect(settingsOf(page, 'Zed at work')).toContainText(`pb_••••${other.slice(-4)}`)

    await choose('Remove app')
    await page.getByRole('button', { name: 'Remove Zed at work' }).click()
    await expect(appRow(page, 'Zed at work')).toBeHidden()
    await expect(page).toHaveURL(/#\/apps$/u)
    expect(await statusFor(url, other)).toBe(401)
  })
})

test.describe('C3, C7: the tools of an app', () => {
  test(
    'are all, the read-only ones, or selected ones, up to the tool limit',
    { tag: '@gate' },
    async ({ app: { page }, profileDir }) => {
      await installTools(page, profileDir, 'Files', FILES)
      await installTools(page, profileDir, 'Notes', NOTES)
      await addApp(page, 'Claude Code')
      const settings = settingsOf(page, 'Claude Code')
      const files = settings.getByRole('button', { name: /^Choose tools of Files/u })
      const toolsCell = appRow(page, 'Claude Code').getByRole('cell').nth(1)
      await expect(settings).toContainText('5 of 128')
      await expect(toolsCell).toHaveText('5')

      await settings.getByRole('radio', { name: 'Read-only 2' }).click()
      await expect(settings).toContainText('2 of 128')
      await expect(files).toHaveAccessibleName('Choose tools of Files 2 of 3')
      await expect(toolsCell).toHaveText('2')

      await files.click()
      const choice = page.getByRole('dialog', { name: 'Tools of Files' })
      await choice.getByRole('checkbox', { name: /^read/u }).uncheck()
      await choice.getByRole('checkbox', { name: /^write/u }).check()
      await expect(choice).toContainText('2 of 3 tools')
      await choice.getByRole('button', { name: 'Save tools' }).click()
      await expect(settings.getByRole('radio', { name: 'Choose' })).toBeChecked()
      await expect(toolsCell).toHaveText('2')
      await settings.getByRole('radio', { name: 'All 5' }).click()
      await expect(toolsCell).toHaveText('5')

      const limit = settings.getByRole('textbox', { name: 'Tool limit' })
      await limit.fill('many')
      await limit.press('Enter')
      await expect(settings.getByRole('alert')).toContainText('Enter a whole number')
      await limit.fill('3')
      await limit.press('Enter')
      await expect(settings).toContainText('2 tools over the limit of 3.')
      await expect(toolsCell).toHaveText('3')
      await settings.getByRole('switch', { name: 'Tool search' }).click()
      await expect(settings).toContainText('5 searchable')
      await settings.getByRole('switch', { name: 'Short names' }).click()
      await expect(settings).toContainText('Original names, such as read.')
      await settings.getByRole('switch', { name: 'Simplified schemas' }).click()

      await page.reload()
      await expect(settings).toContainText('5 searchable')
      await expect(limit).toHaveValue('3')
      await expect(settings.getByRole('switch', { name: 'Short names' })).toBeChecked()
      await expect(settings.getByRole('switch', { name: 'Simplified schemas' })).toBeChecked()
    },
  )
})

test('D6: a taken port can be retried or changed', async ({ app: { page }, settings }) => {
  const other = createServer()
  await new Promise<void>((resolve) => {
    other.listen(settings.gatewayPort, '127.0.0.1', resolve)
  })
  await addApp(page, 'Cursor')
  await expect(page.getByRole('link', { name: 'Apps, can’t connect' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Apps/u }).click()
  const notice = `Apps can’t connect on port ${String(settings.gatewayPort)}.`
  await expect(page.getByText(notice)).toBeVisible()
  await page.getByRole('link', { name: 'Change port' }).click()
  const port = page.getByRole('textbox', { name: 'Gateway port' })
  await expect(port).toBeFocused()
  const free = await freePort()
  await port.fill(String(free))
  await port.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toContainText(
    `127.0.0.1:${String(free)}/mcp`,
  )

  await openSettings(page, 'Apps and gateway')
  await port.fill(String(settings.gatewayPort))
  await port.press('Enter')
  await goTo(page, 'Home')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Apps/u }).click()
  await expect(page.getByText(notice)).toBeVisible()
  await new Promise((resolve) => other.close(resolve))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(notice)).toBeHidden()
  await expect(page.getByRole('link', { name: 'Apps, 1 app' })).toBeVisible()
})

test('E6: tools without approval are listed, and reset one by one or all together', async ({
  openApp,
  profileDir,
}) => {
  const before = await openApp()
  await addApp(before.page, 'Codex')
  await before.close()
  const file = join(profileDir, 'agents.json')
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { agents: { allowed: object[] }[] }
  const allowed = ['wipe', 'write', 'zap'].map((tool) => ({
    installationId: 'files',
    tool,
    hash: '',
  }))
  for (const agent of kept.agents) agent.allowed = allowed
  writeFileSync(file, JSON.stringify(kept))

  const { page } = await openApp()
  await openAppPage(page, 'Codex')
  const grants = page.getByRole('region', { name: 'Always allowed' })
  await expect(grants.getByRole('listitem')).toHaveCount(3)
  await grants.getByRole('button', { name: 'Revoke wipe on a removed server' }).click()
  await expect(grants.getByRole('listitem')).toHaveText([/^write/u, /^zap/u])
  await grants.getByRole('button', { name: 'Revoke all' }).click()
  await expect(grants).toBeHidden()
  const now = (): typeof kept => JSON.parse(readFileSync(file, 'utf8')) as typeof kept
  await expect.poll(() => now().agents.map((agent) => agent.allowed)).toEqual([[]])
})
