import { join } from 'node:path'

import type { Locator } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import {
  approve,
  argvOf,
  expectStatus,
  logOf,
  nameIt,
  openEditor,
  openPaste,
  openServer,
  pasteText,
} from './fixtures/drive'
import { filesHolding } from './fixtures/files-holding'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const SECRET = 'correct-horse-battery'
const PLAIN = join(import.meta.dirname, 'servers', 'plain.mjs')

test.describe('a custom server', () => {
  test(
    'is written, approved and Ready, and its secrets are in no file',
    { tag: '@gate' },
    async ({ app: { page, profileDir } }) => {
      await openEditor(page)
      await page.getByRole('button', { name: 'Approve and start' }).click()
      const consent = page.getByRole('region', { name: 'Consent' })
      await expect(consent).toContainText('Correct Server name and 1 more')
      await expect(page.getByRole('textbox', { name: 'Server name' })).toBeFocused()
      await nameIt(page, 'Mine')
      await page.getByRole('textbox', { name: 'Command' }).fill('node')
      await page.getByRole('button', { name: 'Add argument' }).click()
      const first = page.getByRole('textbox', { name: 'Argument 1' })
      await expect(first).toBeFocused()
      await pasteText(first, `${PLAIN}\n--mode\nslow pace\n`)
      await page.getByRole('textbox', { name: 'Argument 3' }).press('Enter')
      await expect(page.getByRole('textbox', { name: 'Argument 4' })).toBeFocused()
      await page.getByRole('button', { name: 'Add variable' }).click()
      await page.getByRole('textbox', { name: 'Name of variable 1' }).fill('API_KEY')
      await page.getByRole('textbox', { name: 'Name of variable 1' }).press('Tab')
      // A name with "key" makes its value a secret before it is typed.
      await page.getByRole('textbox', { name: 'Value of API_KEY' }).fill(SECRET)
      await expect(argvOf(page)).toHaveText(['node', PLAIN, '--mode', 'slow pace', 'empty'])
      await expect(page.getByRole('list', { name: 'Environment' })).toContainText(
        'API_KEY=••••••••',
      )
      await approve(page)
      await expectStatus(page, 'Mine', 'Ready')
      await openServer(page, 'Mine', 'Log')
      await expect(logOf(page, 'Mine')).toContainText('argv ["--mode","slow pace",""]')
      expect(filesHolding(profileDir, SECRET)).toEqual([])
    },
  )
})

test.describe('a pasted configuration', () => {
  const three = `{
    // from another app
    "mcpServers": {
      "plain": { "command": "node", "args": ["${PLAIN}", "--key", "${SECRET}"] },
      "notes": { "cmd": "node ${PLAIN} 'a b'", "tools": ["x"], },
      "broken": { "command": "node", "args": {} },
    },
  }`

  test('with three servers is shown, selected from, and approved on one page', async ({
    app: { page, profileDir },
  }) => {
    const dialog = await openPaste(page)
    await dialog.getByRole('textbox').fill(three)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const servers = dialog.getByRole('list', { name: 'Servers in the configuration' })
    await expect(
      servers.getByRole('listitem').filter({ hasText: 'mcpServers.broken.args' }),
    ).toBeVisible()
    await expect(dialog.getByRole('checkbox', { name: 'Add broken' })).toBeDisabled()
    await expect(dialog.getByRole('list', { name: 'Notes on notes' })).toContainText(
      'Only “x” is available to agents.',
    )
    await servers.getByRole('button', { name: 'Command and secrets' }).first().click()
    await expect(dialog.getByRole('list', { name: 'Command' }).locator('code')).toHaveText([
      'node',
      PLAIN,
      '--key',
      '••••••••',
    ])
    await expect(dialog.getByRole('group', { name: 'To the keychain' })).toContainText('key')
    expect(await faultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Review 2 servers' }).click()
    const review = page.getByRole('dialog', { name: 'Approve servers' })
    const commands = review.getByRole('list', { name: 'Command', exact: true })
    await expect(commands.first().getByRole('listitem')).toHaveText([
      'node',
      PLAIN,
      '--key',
      /^••••••••/u,
    ])
    await expect(commands.last().getByRole('listitem')).toHaveText(['node', PLAIN, 'a b'])
    expect(await faultsOf(page)).toEqual([])
    await review.getByRole('button', { name: 'Approve 2 servers' }).click()
    await expect(dialog.getByRole('list', { name: 'Added servers' })).toBeVisible()
    await dialog.getByRole('link', { name: 'Open notes' }).click()
    await expectStatus(page, 'notes', 'Ready')
    await expectStatus(page, 'plain', 'Ready')
    await openServer(page, 'plain', 'Log')
    await expect(logOf(page, 'plain')).toContainText('argv ["--key","••••••••"]')
    expect(filesHolding(profileDir, SECRET)).toEqual([])
  })

  test('with a mistake leads to its line and column; a server.json reports ignored parts', async ({
    app: { page },
  }) => {
    const dialog = await openPaste(page)
    const text = dialog.getByRole('textbox')
    await expect(text).toBeFocused()
    const wrong = three.replace('"args": {}', '"args" {}')
    await text.fill(wrong)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('button', { name: 'Line 6, column 45' }).click()
    await expect(text).toBeFocused()
    const start: number = await page.evaluate('document.activeElement.selectionStart')
    expect(start).toBe(wrong.indexOf('"args" {}') + '"args" '.length)
    await expect(text).toHaveValue(wrong)

    const odd = fixtureServer('plain.mjs', {
      environmentVariables: [
        { name: '', value: 'x' },
        { name: 'MODE', default: 'a', surprise: 1 },
      ],
    })
    await text.fill(JSON.stringify({ ...odd, unheardOf: { of: true } }))
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog).toContainText('environmentVariables[0]')
    await dialog.getByRole('button', { name: /^Set up/u }).click()
    await expect(page.getByLabel('Mode')).toBeVisible()
  })
})

test.describe('the editor of a custom server', () => {
  test('keeps a problem at its line until it is fixed in any line', async ({ app: { page } }) => {
    await openEditor(page)
    await nameIt(page, 'Mine')
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    await page.getByRole('button', { name: 'Add variable' }).click()
    const nameOf = (line: number): Locator =>
      page.getByRole('textbox', { name: `Name of variable ${line}` })
    await pasteText(nameOf(1), 'MODE=a\nLEVEL=b\nMODE=c\n')
    await expect(nameOf(3)).toBeFocused()
    await page.getByRole('button', { name: 'Save for later' }).click()
    await expect(nameOf(3)).toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('button', { name: 'Move variable 3 up' }).click()
    await expect(nameOf(2)).toHaveAttribute('aria-invalid', 'true')
    await expect(nameOf(3)).toHaveValue('LEVEL')
    await expect(nameOf(3)).not.toHaveAttribute('aria-invalid')
    await nameOf(1).fill('OTHER')
    await expect(page.getByText('Another variable has this name.')).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Consent' })).not.toContainText('Correct')
  })
})
