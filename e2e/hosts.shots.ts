import { homedir } from 'node:os'
import { join } from 'node:path'

import { appRow, chooseInRow, openConnect } from './fixtures/apps-page'
import { expectStatus, goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { HostHome } from './fixtures/host-files'
import { expect, test } from './fixtures/patchbay-test'
import { installPublished, PUBLISHED } from './fixtures/published-servers'
import { startSecretService } from './fixtures/secret-service'
import { shoot, WIDE } from './fixtures/shoot'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const CURSOR = `{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@acme/github"],
      "env": { "GITHUB_TOKEN": "ghp_correcthorsebatterystaple42correcth0" }
    }
  }
}
`

test('apps of this computer, how one is connected and what became of it', async ({ openApp }) => {
  using home = new HostHome()
  home.write('cursor', CURSOR)
  home.write('claudeDesktop', '{}\n')
  home.write('codex', '')
  home.write('vsCode', '{\n  "servers": {\n')
  const service = await startSecretService()
  const keychain = 'unavailable' in service ? undefined : service
  const env = { ...keychain?.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay screenshots' }
  const { page } = await openApp({ env: { ...home.env, ...env } })
  await page.setViewportSize(WIDE)
  await installPublished(page, join(homedir(), 'notes'))
  for (const title of PUBLISHED) await expectStatus(page, title, 'Ready')
  await goTo(page, 'Agents')
  await expect(appRow(page, 'Cursor')).toBeVisible()
  await shoot(page, 'hosts-first')
  const dialog = await openConnect(page, 'Cursor')
  await shoot(page, 'hosts-connect')
  await dialog.getByRole('button', { name: 'Write to mcp.json' }).click()
  await expect(dialog.getByRole('status')).toContainText('Waiting until')
  await shoot(page, 'hosts-check')
  await dialog.getByRole('button', { name: 'Done' }).click()
  const other = await openConnect(page, 'Claude Desktop')
  await other.getByRole('button', { name: 'Write to claude_desktop_config.json' }).click()
  await other.getByRole('button', { name: 'Done' }).click()
  home.write('cursor', home.read('cursor').replace('"bridge"', '"bridged"'))
  await page.getByRole('button', { name: 'Look again', exact: true }).click()
  await expect(appRow(page, 'Cursor')).toContainText('was changed')
  await shoot(page, 'hosts-changed')
  await chooseInRow(page, 'Claude Desktop', 'Disconnect')
  await expect(page.getByRole('region', { name: /^Changes of/u })).toBeVisible()
  await shoot(page, 'hosts-disconnect')
  await page.keyboard.press('Escape')
  await goTo(page, 'Home')
  await shoot(page, 'hosts-home')
  await keychain?.stop()
})
