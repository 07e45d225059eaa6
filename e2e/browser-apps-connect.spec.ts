import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import {
  appRow,
  chooseInEntry,
  openApp as openSettings,
  openConnect,
  settingsOf,
} from './fixtures/apps-page'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HomeWithApps } from './fixtures/home-with-apps'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'
import { startSecretService } from './fixtures/secret-service'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const TOOLS = ['read', 'write', 'list'].map((name) => ({ name }))
const SECRET = 'ghp_correcthorsebatterystaple42correcth0'
const CURSOR = `{
    "mcpServers": {
        "github": { "command": "npx", "args": ["-y", "gh"], "env": { "GITHUB_TOKEN": "${SECRET}" } }
    },
    "other": [1,  2]
}
`

type Entry = { readonly command: string; readonly args: string[] }
type Servers = { readonly mcpServers: Readonly<Record<string, Entry>> }

function entryIn(home: HomeWithApps): Entry | undefined {
  return (JSON.parse(home.read('cursor')) as Servers).mcpServers.patchbay
}

/** Edits the entry like a user might. */
function edit(home: HomeWithApps): void {
  home.write('cursor', home.read('cursor').replace('"bridge"', '"bridged"'))
}

test.describe('D6: connecting an app through its own file', () => {
  test(
    'writes the previewed entry, which a real client uses; disconnecting can be undone',
    { tag: '@gate' },
    async ({ openApp, profileDir }) => {
      using home = new HomeWithApps()
      home.write('cursor', CURSOR)
      const service = await startSecretService()
      test.skip('unavailable' in service, 'There is no keychain for the bridge here.')
      if ('unavailable' in service) return
      const env = { ...service.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay connect' }
      const { page } = await openApp({ env: { ...home.env, ...env } })
      await installTools(page, profileDir, 'Files', TOOLS)

      const dialog = await openConnect(page, 'Cursor')
      await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Cursor')
      const diff = dialog.getByRole('region', { name: /^Changes of/u })
      await expect(diff).toContainText('added: ')
      await expect(diff).toContainText('"--agent"')
      expect(await page.content()).not.toContain(SECRET)
      expect(home.read('cursor')).toBe(CURSOR)
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
      await expect(dialog.getByRole('status')).toHaveText('Waiting for Cursor to read its tools.')

      const entry = entryIn(home)
      const rest = home.read('cursor')
      expect(rest).toContain(`"env": { "GITHUB_TOKEN": "${SECRET}" }`)
      expect(rest).toContain('"other": [1,  2]')
      const client = new Client({ name: 'cursor', version: '3' })
      const { command = '', args = [] } = entry ?? {}
      await client.connect(
        new StdioClientTransport({ command, args, env: { PATH: process.env.PATH ?? '', ...env } }),
      )
      const { tools } = await client.listTools()
      expect(tools).toHaveLength(3)
      await expect(dialog.getByRole('status')).toContainText('Cursor sees 3 tools')
      await dialog.getByRole('button', { name: 'Done' }).click()
      const row = appRow(page, 'Cursor')
      await expect(row).toContainText('Active')
      await client.callTool({ name: 'no_such_tool', arguments: {} }).catch(() => undefined)
      const errors = row.getByRole('cell').nth(4)
      await expect(errors).toHaveText('1')
      const settings = await openSettings(page, 'Cursor')
      await settings.getByRole('button', { name: 'Test connection' }).click()
      await expect(page.getByRole('dialog').getByRole('status')).toHaveText(
        'Cursor is connected and sees 3 tools.',
      )
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await client.close()

      await expect(settings).toContainText('In use, written now')
      await chooseInEntry(page, 'Cursor', 'Disconnect')
      const disconnecting = page.getByRole('dialog', { name: 'Disconnect Cursor?' })
      await expect(disconnecting.getByRole('region', { name: /^Changes of/u })).toContainText(
        'removed: ',
      )
      await disconnecting.getByRole('button', { name: 'Disconnect Cursor' }).click()
      await expect(page.getByRole('button', { name: 'Connect Cursor', exact: true })).toBeVisible()
      expect(home.read('cursor')).toBe(CURSOR)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(settings).toContainText('In use')
      expect(home.read('cursor')).toBe(rest)
      await service.stop()
    },
  )

  test('a changed entry is repaired with a diff, or kept', async ({ openApp, profileDir }) => {
    using home = new HomeWithApps()
    home.write('cursor', CURSOR)
    const { page } = await openApp({ env: home.env })
    await installTools(page, profileDir, 'Files', TOOLS)
    const dialog = await openConnect(page, 'Cursor')
    await expect(dialog).toContainText('Without a keychain')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const written = home.read('cursor')

    edit(home)
    await page.getByRole('button', { name: 'Refresh apps' }).click()
    await expect(appRow(page, 'Cursor')).toContainText('Entry changed')
    await goTo(page, 'Home')
    const needs = page.getByRole('region', { name: 'Needs attention' })
    await expect(needs).toContainText('Entry patchbay was changed outside Patchbay.')
    await needs.getByRole('link', { name: /^Review/u }).click()
    await settingsOf(page, 'Cursor').getByRole('button', { name: 'Repair' }).click()
    const repairing = page.getByRole('dialog', { name: 'Repair Cursor' })
    await expect(repairing.getByRole('region', { name: /^Changes of/u })).toContainText('bridged')
    await repairing.getByRole('button', { name: 'Repair', exact: true }).click()
    await repairing.getByRole('button', { name: 'Done' }).click()
    expect(home.read('cursor')).toBe(written)
    await goTo(page, 'Home')
    await expect(needs.getByText('was changed outside Patchbay')).toBeHidden()

    edit(home)
    const edited = home.read('cursor')
    await goTo(page, 'Apps')
    await page.getByRole('link', { name: 'Review Cursor' }).click()
    await chooseInEntry(page, 'Cursor', 'Keep entry')
    await expect(settingsOf(page, 'Cursor')).toContainText('In use')
    expect(home.read('cursor')).toBe(edited)
  })
})
