import { homedir } from 'node:os'
import { join } from 'node:path'

import { addAgent, preview, save } from './fixtures/agents-page'
import { expectStatus, goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'
import { installPublished, PUBLISHED } from './fixtures/published-servers'
import { startSecretService } from './fixtures/secret-service'
import { shoot, WIDE } from './fixtures/shoot'

test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

test('agents, a key that is shown once, and what an agent is shown', async ({ openApp }) => {
  const service = await startSecretService()
  const keychain = 'unavailable' in service ? undefined : service
  const env = { ...keychain?.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay screenshots' }
  const { page } = await openApp({ env })
  await page.setViewportSize(WIDE)
  await installPublished(page, join(homedir(), 'notes'))
  for (const title of PUBLISHED) await expectStatus(page, title, 'Ready')
  await goTo(page, 'Agents')
  await shoot(page, 'agents-empty')
  for (const name of ['Claude Code', 'Zed']) await addAgent(page, name)

  await goTo(page, 'Agents')
  await page.getByRole('button', { name: 'Add agent' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add agent' })
  await dialog.getByRole('button', { name: 'Cursor', exact: true }).click()
  await shoot(page, 'agents-add')
  await dialog.getByRole('button', { name: 'Add agent' }).click()
  await expect(page.getByRole('dialog', { name: 'Cursor is added' })).toBeVisible()
  await shoot(page, 'agents-key')
  await page.getByRole('button', { name: 'I have stored the key' }).click()

  await expect(preview(page).getByRole('heading')).toContainText('are shown')
  await shoot(page, 'agent')
  await page.getByRole('textbox', { name: 'Tools that the app takes' }).fill('20')
  await page.getByRole('radio', { name: 'Chosen servers' }).click()
  await page.getByRole('radio', { name: 'Destructive calls' }).click()
  await expect(preview(page)).toContainText('Cursor takes 20 tools')
  await shoot(page, 'agent-choosing')
  await page.getByRole('button', { name: /^Choose tools of Filesystem/u }).click()
  await page.getByRole('dialog').getByRole('checkbox').nth(2).uncheck()
  await shoot(page, 'agent-tools')
  await page.getByRole('button', { name: 'Done' }).click()
  await save(page)
  await goTo(page, 'Agents')
  await shoot(page, 'agents')
  await keychain?.stop()
})
