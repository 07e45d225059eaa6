import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { addAgent, preview, save } from './fixtures/agents-page'
import { copiedBy } from './fixtures/clipboard'
import { goTo } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import { installTools } from './fixtures/listed-tools'
import { expect, test } from './fixtures/patchbay-test'

// Each test has a port of its own.
test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const FILES = ['read', 'write', 'list'].map((name) => ({ name, description: `Does ${name}.` }))
const NOTES = ['save', 'find'].map((name) => ({ name }))

function shownNames(page: Page): Locator {
  return preview(page).getByRole('listitem').locator('code')
}

/** The status that the endpoint answers somebody with this key. */
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

test.describe('D6: agents are added, each with a key that is shown once', () => {
  test(
    'the first opens the endpoint; its key, entries to copy and known limit are there at once',
    { tag: '@gate' },
    async ({ app: { page }, profileDir }) => {
      await goTo(page, 'Agents')
      await expect(page.getByRole('heading', { name: 'No agents yet' })).toBeVisible()
      await page.getByRole('button', { name: 'Add agent' }).click()
      const adding = page.getByRole('dialog', { name: 'Add agent' })
      await adding.getByRole('button', { name: 'Add agent' }).click()
      await expect(adding.getByRole('alert')).toHaveText('Give the agent a name.')
      await expect(adding.getByRole('textbox', { name: 'Name' })).toBeFocused()
      await adding.getByRole('button', { name: 'Cursor', exact: true }).click()
      await expect(adding.getByRole('textbox', { name: 'Tools that the app takes' })).toHaveValue(
        '80',
      )
      await adding.getByRole('button', { name: 'Add agent' }).click()

      const dialog = page.getByRole('dialog', { name: 'Cursor is added' })
      const key = (await dialog.getByRole('region', { name: 'Key' }).textContent()) ?? ''
      expect(key).toMatch(/^pb_[\w-]{43}$/u)
      await page.keyboard.press('Escape')
      await page.mouse.click(4, 4)
      await expect(dialog).toBeVisible()
      const copy = (name: string): Promise<string> =>
        copiedBy(page, () => dialog.getByRole('button', { name: `Copy: ${name}` }).click())
      expect(await copy('Key')).toBe(key)
      const { mcpServers } = JSON.parse(await copy('Entry for the app')) as {
        mcpServers: { patchbay: { url: string; headers: object } }
      }
      expect(mcpServers.patchbay.headers).toEqual({ Authorization: `Bearer ${key}` })
      await dialog.getByRole('radio', { name: 'Command (stdio)' }).click()
      await expect(dialog.getByRole('region', { name: 'Entry for the app' })).toContainText(
        'bridge',
      )
      await expect(dialog.getByRole('region', { name: 'Entry for the app' })).not.toContainText(key)
      const { url } = mcpServers.patchbay
      await expect.poll(() => statusFor(url, 'pb_wrong').catch(() => 'shut')).toBe(401)
      expect(await statusFor(url, key)).not.toBe(401)
      await dialog.getByRole('button', { name: 'I have stored the key' }).click()

      await expect(page.getByText(`key ends in ${key.slice(-4)}`)).toBeVisible()
      await page.getByRole('button', { name: 'Connect' }).click()
      await expect(page.getByRole('dialog')).toContainText('Bearer KEY')
      await page.getByRole('button', { name: 'Done' }).click()
      expect(await page.content()).not.toContain(key)
      expect(readFileSync(join(profileDir, 'agents.json'), 'utf8')).not.toContain(key)
      await goTo(page, 'Agents')
      await expect(page.getByText(url)).toBeVisible()
      await expect(page.getByRole('row', { name: /^Cursor/u })).toContainText('0 of 128')
    },
  )

  test('a taken name is told at its field, a new key voids the old one, and removing shuts the endpoint', async ({
    app: { page },
  }) => {
    const key = await addAgent(page, 'Zed')
    await goTo(page, 'Agents')
    const url = (await page.locator('.gateway-line code').textContent()) ?? ''
    await page.getByRole('button', { name: 'Add agent' }).click()
    const adding = page.getByRole('dialog', { name: 'Add agent' })
    await adding.getByRole('textbox', { name: 'Name' }).fill('zed')
    await adding.getByRole('button', { name: 'Add agent' }).click()
    await expect(adding.getByRole('alert')).toContainText('There is an agent called zed already.')
    await adding.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('link', { name: 'Zed', exact: true }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Make a new key' }).click()
    await page.getByRole('button', { name: 'Make a new key' }).click()
    const renewed = page.getByRole('dialog', { name: 'Zed has a new key' })
    const other = (await renewed.getByRole('region', { name: 'Key' }).textContent()) ?? ''
    expect(other).not.toBe(key)
    expect(await statusFor(url, key)).toBe(401)
    expect(await statusFor(url, other)).not.toBe(401)
    await renewed.getByRole('button', { name: 'I have stored the key' }).click()
    await expect(page.getByText(`key ends in ${other.slice(-4)}`)).toBeVisible()

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove Zed' }).click()
    await expect(page.getByRole('heading', { name: 'No agents yet' })).toBeVisible()
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'open',
          () => 'shut',
        ),
      )
      .toBe('shut')
  })
})

test.describe('C3, C7: what an agent is shown', () => {
  test(
    'follows the form before it is saved, and the agent once it is',
    { tag: '@gate' },
    async ({ app: { page }, profileDir }) => {
      await installTools(page, profileDir, 'Files', FILES)
      await installTools(page, profileDir, 'Notes', NOTES)
      await addAgent(page, 'Claude Code')
      await expect(shownNames(page)).toHaveText([
        'Files__read',
        'Files__write',
        'Files__list',
        'Notes__save',
        'Notes__find',
      ])
      await expect(preview(page).getByRole('heading')).toHaveText('5 tools are shown')

      await page.getByRole('textbox', { name: 'Tools that the app takes' }).fill('4')
      await expect(preview(page)).toContainText('Claude Code takes 4 tools; 5 are shown.')
      await preview(page).getByRole('button', { name: 'Choose tools' }).click()
      await page.getByRole('button', { name: 'Choose tools of Files' }).click()
      const choice = page.getByRole('dialog', { name: 'Tools of Files' })
      await choice.getByRole('checkbox', { name: /^write/u }).uncheck()
      await expect(choice).toContainText('2 of 3 tools')
      await choice.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('radio', { name: 'Own names' }).click()
      await expect(shownNames(page)).toHaveText(['read', 'list', 'save', 'find'])
      await expect(preview(page)).not.toContainText('Claude Code takes')
      await page.getByRole('textbox', { name: 'Most tools' }).fill('3')
      await expect(preview(page)).toContainText('1 tool more is over the cap of 3.')

      await page.getByRole('link', { name: /^Home/u }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Claude at work')
      await save(page)
      await expect(page.getByRole('heading', { name: 'Claude at work', level: 1 })).toBeVisible()
      await goTo(page, 'Agents')
      const row = page.getByRole('row', { name: /^Claude at work/u })
      await expect(row).toContainText('3 of 3')
      await expect(row).toContainText('1 tool more is over the cap of 3.')

      await page.reload()
      await page.getByRole('link', { name: 'Claude at work' }).click()
      await expect(page.getByRole('textbox', { name: 'Most tools' })).toHaveValue('3')
      await expect(shownNames(page)).toHaveText(['read', 'list', 'save'])
      await expect(page.getByRole('checkbox', { name: 'Notes' })).toBeChecked()
      await page.getByRole('checkbox', { name: 'Files' }).uncheck()
      await expect(shownNames(page)).toHaveText(['save', 'find'])
      await page.getByRole('switch', { name: 'Let it search' }).click()
      await expect(preview(page).getByRole('heading')).toHaveText(
        'Two tools are shown, and find 2 more',
      )
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect(shownNames(page)).toHaveText(['read', 'list', 'save'])
      await expect(page.getByRole('switch', { name: 'Let it search' })).not.toBeChecked()
    },
  )

  test('is no profile while a number is none, which is told at its field', async ({
    app: { page },
  }) => {
    await addAgent(page, 'Codex')
    await page.getByRole('textbox', { name: 'Most tools' }).fill('many')
    await expect(page.getByRole('alert')).toHaveText('Enter a whole number from 1 to 10000.')
    const saving = page.getByRole('region', { name: 'Save' }).getByRole('button', { name: 'Save' })
    await expect(saving).toBeDisabled()
    await page.getByRole('textbox', { name: 'Most tools' }).fill('17')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('region', { name: 'Save' })).toContainText(
      'The agent is told of changes at once',
    )
    await goTo(page, 'Agents')
    await expect(page.getByRole('row', { name: /^Codex/u })).toContainText('0 of 17')
  })
})

test('D6: a taken port is told with its ways on: try again, or another port', async ({
  app: { page },
  settings,
}) => {
  const other = createServer()
  await new Promise<void>((resolve) => {
    other.listen(settings.gatewayPort, '127.0.0.1', resolve)
  })
  await addAgent(page, 'Cursor')
  await expect(page.getByRole('link', { name: 'Agents, they cannot connect' })).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Agents/u })
    .click()
  const told = `Agents cannot connect at port ${String(settings.gatewayPort)}.`
  await expect(page.getByText(told)).toBeVisible()
  await page.getByRole('link', { name: 'Change port' }).click()
  const port = page.getByRole('textbox', { name: 'Port for agents' })
  await expect(port).toBeFocused()
  const free = await freePort()
  await port.fill(String(free))
  await port.press('Enter')
  await goTo(page, 'Agents')
  await expect(page.locator('.gateway-line')).toContainText(`http://127.0.0.1:${String(free)}/mcp`)

  await goTo(page, 'Settings')
  await port.fill(String(settings.gatewayPort))
  await port.press('Enter')
  await goTo(page, 'Home')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Agents/u })
    .click()
  await expect(page.getByText(told)).toBeVisible()
  await new Promise((resolve) => other.close(resolve))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(told)).toBeHidden()
  await expect(page.getByRole('link', { name: 'Agents, 1 agent' })).toBeVisible()
})

test('E6: tools that need no approval are listed, and lose that one by one or all together', async ({
  openApp,
  profileDir,
}) => {
  const before = await openApp()
  await addAgent(before.page, 'Codex')
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
  await goTo(page, 'Agents')
  await page.getByRole('link', { name: 'Codex', exact: true }).click()
  const grants = page.getByRole('region', { name: 'Always allowed' })
  await expect(grants.getByRole('listitem')).toHaveCount(3)
  await grants.getByRole('button', { name: 'Revoke wipe on a removed server' }).click()
  await expect(grants.getByRole('listitem')).toHaveText([/^write/u, /^zap/u])
  await grants.getByRole('button', { name: 'Revoke all' }).click()
  await expect(grants).toBeHidden()
  const now = (): typeof kept => JSON.parse(readFileSync(file, 'utf8')) as typeof kept
  await expect.poll(() => now().agents.map((agent) => agent.allowed)).toEqual([[]])
})
