import { chmodSync, writeFileSync } from 'node:fs'

import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { appRow, chooseInRow, openConnect } from './fixtures/apps-page'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HostHome } from './fixtures/host-files'
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

function entryIn(home: HostHome): Entry | undefined {
  return (JSON.parse(home.read('cursor')) as Servers).mcpServers.patchbay
}

/** Puts what a person would change into the entry. */
function edit(home: HostHome): void {
  home.write('cursor', home.read('cursor').replace('"bridge"', '"bridged"'))
}

test.describe('D6: an app is connected through its own file', () => {
  test(
    'by the entry that was shown, which a real agent then uses; it is taken out again, and put back',
    { tag: '@gate' },
    async ({ openApp, profileDir }) => {
      using home = new HostHome()
      home.write('cursor', CURSOR)
      const service = await startSecretService()
      test.skip('unavailable' in service, 'There is no keychain for the bridge here.')
      if ('unavailable' in service) return
      const env = { ...service.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay connect' }
      const { page } = await openApp({ env: { ...home.env, ...env } })
      await installTools(page, profileDir, 'Files', TOOLS)

      const dialog = await openConnect(page, 'Cursor')
      await expect(dialog.getByRole('textbox', { name: 'Name of the agent' })).toHaveValue('Cursor')
      const diff = dialog.getByRole('region', { name: /^Changes of/u })
      await expect(diff).toContainText('added: ')
      await expect(diff).toContainText('"--agent"')
      expect(await page.content()).not.toContain(SECRET)
      expect(home.read('cursor')).toBe(CURSOR)
      await dialog.getByRole('button', { name: 'Write to mcp.json' }).click()
      await expect(dialog.getByRole('status')).toHaveText('Waiting until Cursor lists its tools.')

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
      await expect(dialog.getByRole('status')).toContainText('Cursor listed 3 tools')
      await dialog.getByRole('button', { name: 'Done' }).click()
      await expect(appRow(page, 'Cursor')).toContainText('Connected as Cursor.')
      const agent = page.getByRole('row', { name: /^Cursor/u })
      await expect(agent).toContainText('Connected')
      await client.callTool({ name: 'no_such_tool', arguments: {} }).catch(() => undefined)
      await expect(agent.getByRole('cell').last()).toHaveText('1')
      await client.close()

      await chooseInRow(page, 'Cursor', 'Disconnect')
      const disconnecting = page.getByRole('dialog', { name: 'Disconnect Cursor?' })
      await expect(disconnecting.getByRole('region', { name: /^Changes of/u })).toContainText(
        'removed: ',
      )
      await disconnecting.getByRole('button', { name: 'Disconnect Cursor' }).click()
      await expect(appRow(page, 'Cursor')).toContainText('Not connected')
      expect(home.read('cursor')).toBe(CURSOR)
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(appRow(page, 'Cursor')).toContainText('Connected as Cursor.')
      expect(home.read('cursor')).toBe(rest)
      await service.stop()
    },
  )

  test('and where it was changed since, that is said, mended after a look, or kept', async ({
    openApp,
    profileDir,
  }) => {
    using home = new HostHome()
    home.write('cursor', CURSOR)
    const { page } = await openApp({ env: home.env })
    await installTools(page, profileDir, 'Files', TOOLS)
    const dialog = await openConnect(page, 'Cursor')
    await expect(dialog).toContainText('There is no keychain here')
    await dialog.getByRole('button', { name: 'Write to mcp.json' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const written = home.read('cursor')

    edit(home)
    await page.getByRole('button', { name: 'Look again', exact: true }).click()
    await expect(appRow(page, 'Cursor')).toContainText('was changed outside Patchbay')
    await goTo(page, 'Home')
    const needs = page.getByRole('region', { name: 'Needs attention' })
    await expect(needs).toContainText('Cursor: Its entry patchbay was changed outside Patchbay.')
    const mending = await openConnect(page, 'Cursor', 'Mend')
    await expect(mending.getByRole('region', { name: /^Changes of/u })).toContainText('bridged')
    await mending.getByRole('button', { name: 'Write to mcp.json' }).click()
    await mending.getByRole('button', { name: 'Done' }).click()
    expect(home.read('cursor')).toBe(written)
    await goTo(page, 'Home')
    await expect(needs.getByText('was changed outside Patchbay')).toBeHidden()

    edit(home)
    const edited = home.read('cursor')
    await goTo(page, 'Agents')
    await chooseInRow(page, 'Cursor', 'Keep it as it is')
    await expect(appRow(page, 'Cursor')).toContainText('Connected as Cursor.')
    expect(home.read('cursor')).toBe(edited)
  })

  test('but not where the file is another than the one that was shown: it is shown anew', async ({
    openApp,
  }) => {
    using home = new HostHome()
    home.write('cursor', CURSOR)
    const { page } = await openApp({ env: home.env })
    const dialog = await openConnect(page, 'Cursor')
    const meanwhile = CURSOR.replace('github', 'gitlab')
    home.write('cursor', meanwhile)
    await dialog.getByRole('button', { name: 'Write to mcp.json' }).click()
    await expect(dialog.getByRole('alert')).toContainText('so nothing was written')
    expect(home.read('cursor')).toBe(meanwhile)
    await expect(dialog.getByRole('region', { name: /^Changes of/u })).toContainText('gitlab')
    await dialog.getByRole('button', { name: 'Write to mcp.json' }).click()
    await expect(dialog.getByRole('status')).toContainText('Waiting until')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await expect(dialog).toBeHidden()
    expect(home.read('cursor')).toBe(meanwhile)
    await expect(page.getByRole('heading', { name: 'No agents yet' })).toBeVisible()
  })

  test('and a file that is broken or read-only is left as it is, with the reason', async ({
    openApp,
  }) => {
    using home = new HostHome()
    const broken = '{ "mcpServers": { "a": { "command": "x" } '
    home.write('cursor', broken)
    home.write('claudeDesktop', '{}')
    chmodSync(home.file('claudeDesktop'), 0o444)
    const { page } = await openApp({ env: home.env })
    await goTo(page, 'Agents')
    await expect(appRow(page, 'Cursor')).toContainText(/line 1/iu)
    await expect(appRow(page, 'Claude Desktop')).toContainText('read-only')
    await expect(page.getByRole('button', { name: 'Connect, Cursor' })).toBeHidden()
    expect(home.read('cursor')).toBe(broken)

    writeFileSync(home.file('cursor'), '{}')
    await page.getByRole('button', { name: 'Look again', exact: true }).click()
    const dialog = await openConnect(page, 'Cursor')
    // It breaks between the look at what is written and the wish to write it.
    writeFileSync(home.file('cursor'), broken)
    const write = dialog.getByRole('button', { name: 'Write to mcp.json' })
    await write.click()
    await expect(dialog.getByRole('alert').first()).toBeVisible()
    await expect(write).toHaveAttribute('aria-disabled', 'true')
    // By no place on the screen, as the dialog may still grow.
    await write.dispatchEvent('click')
    await expect(dialog.getByRole('alert').first()).toBeVisible()
    expect(home.read('cursor')).toBe(broken)
  })
})
