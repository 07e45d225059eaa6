import { createHash } from 'node:crypto'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import { copiedBy } from './fixtures/clipboard'
import {
  approve,
  argvOf,
  configure,
  expectStatus,
  logOf,
  nameIt,
  openEditor,
  openServer,
  openSettings,
  pasteText,
  serverLink,
  storeSecret,
} from './fixtures/drive'
import { filesHolding } from './fixtures/files-holding'
import { expect, test } from './fixtures/patchbay-test'

const PLAIN = join(import.meta.dirname, 'servers', 'plain.mjs')
const SECRET = 'correct-horse-battery'
const FIRST = 'first-value-of-the-team'
const SECOND = 'second-value-of-the-team'
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)
const storedSecrets = (page: Page): Locator => page.getByRole('list', { name: 'Shared secrets' })

test.describe('the editor of a server made by hand', () => {
  test('copies the command for a shell, secrets as variables', async ({ app: { page } }) => {
    await openEditor(page)
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    await page.getByRole('button', { name: 'Add argument' }).click()
    await pasteText(page.getByRole('textbox', { name: 'Argument 1' }), `a 'b'\n--token=${SECRET}`)
    await expect(argvOf(page).nth(2)).toHaveText('--token=••••••••')
    const copied: string[] = []
    for (const shell of ['For bash and zsh', 'For PowerShell', 'For cmd.exe']) {
      await page.getByRole('button', { name: 'Copy' }).click()
      const choose = page.getByRole('menuitem', { name: shell })
      copied.push(await copiedBy(page, () => choose.click()))
    }
    expect(copied[0]).toBe(`node 'a '\\''b'\\''' --token="$TOKEN"`)
    expect(copied[1]).toContain(`'a ''b'''`)
    expect(copied.join(' ')).not.toContain(SECRET)
  })

  test('keeps what is called like a secret as one, unless it is opened again', async ({
    app: { page },
  }) => {
    await openEditor(page)
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    const add = page.getByRole('button', { name: 'Add argument' })
    for (const [index, text] of [`--dbpassword=${SECRET}`, '--api-key', SECRET].entries()) {
      await add.click()
      await page.getByRole('textbox', { name: `Argument ${String(index + 1)}` }).fill(text)
    }
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByRole('textbox', { name: 'Name of variable 1' }).fill('MODE')
    await page.getByRole('textbox', { name: 'Value of MODE' }).fill(SECRET)
    await page.getByRole('textbox', { name: 'Name of variable 1' }).fill('PGPASSWORD')
    await page.getByRole('textbox', { name: 'Command' }).focus()
    const masked = ['node', '--dbpassword=••••••••', '--api-key', '••••••••']
    await expect(argvOf(page)).toHaveText(masked)
    const environment = page.getByRole('list', { name: 'Environment' })
    await expect(environment).toContainText('PGPASSWORD=••••••••')
    await page.getByRole('button', { name: 'Show as plain text: Argument 1' }).click()
    await page.getByRole('textbox', { name: 'Argument 1' }).fill('--dbpassword=open')
    await page.getByRole('textbox', { name: 'Command' }).focus()
    await expect(argvOf(page)).toHaveText(masked.with(1, '--dbpassword=open'))
  })

  test('has a secret in no file that was typed last before it was saved', async ({
    app: { page, profileDir },
  }) => {
    await openEditor(page)
    await nameIt(page, 'Mine')
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    await page.getByRole('button', { name: 'Add argument' }).click()
    await page.getByRole('textbox', { name: 'Argument 1' }).fill(PLAIN)
    await page.getByRole('button', { name: 'Add argument' }).click()
    await page.getByRole('textbox', { name: 'Argument 2' }).fill(`--dbpassword=${SECRET}`)
    await expect(argvOf(page).nth(2)).toHaveText(`--dbpassword=${SECRET}`)
    await page.getByRole('button', { name: 'Approve and start' }).click()
    await expect(argvOf(page).nth(2)).toHaveText('--dbpassword=••••••••')
    // What was shown was not masked, so that it is approved once more.
    await approve(page)
    await expectStatus(page, 'Mine', 'Ready')
    expect(filesHolding(profileDir, SECRET)).toEqual([])
  })

  test('has time limits and protocol options, kept over a save, and rejects a limit out of range', async ({
    app: { page },
  }) => {
    await openEditor(page)
    await nameIt(page, 'Mine')
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    await page.getByRole('button', { name: 'Advanced' }).click()
    await page.getByRole('textbox', { name: 'Handshake limit (seconds)' }).fill('700')
    await page.getByRole('textbox', { name: 'Listing limit (seconds)' }).fill('2.5')
    await page.getByRole('combobox', { name: 'Protocol version' }).selectOption('sessions')
    await page.getByRole('switch', { name: 'One message per write' }).check()
    await page.getByRole('button', { name: 'Advanced' }).click()
    await page.getByRole('button', { name: 'Save for later' }).click()
    await expect(page.getByText('Enter seconds from 0.5 to 600')).toBeVisible()
    await page.getByRole('textbox', { name: 'Handshake limit (seconds)' }).fill('7')
    await page.getByRole('button', { name: 'Save for later' }).click()
    await expect(serverLink(page, 'Mine')).toBeVisible()
    await configure(page, 'Mine')
    await expect(page.getByText('7 fields, 4 changed')).toBeVisible()
    await page.getByRole('button', { name: 'Advanced' }).click()
    await expect(page.getByRole('textbox', { name: 'Handshake limit (seconds)' })).toHaveValue('7')
    await expect(page.getByRole('textbox', { name: 'Listing limit (seconds)' })).toHaveValue('2.5')
    await expect(page.getByRole('combobox', { name: 'Protocol version' })).toHaveValue('sessions')
    await expect(page.getByRole('switch', { name: 'One message per write' })).toBeChecked()
  })

  test('keeps a problem at its line, until what it is about is mended at whichever line', async ({
    app: { page },
  }) => {
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

test.describe('a stored secret in a server made by hand', () => {
  const KEYED_FILE = join(import.meta.dirname, 'servers', 'keyed.mjs')
  const row = (page: Page): Locator => page.locator('[data-spot="env.0.value"]')

  test('is chosen, kept over a save, rotated, and taken back', async ({ app: { page } }) => {
    await storeSecret(page, 'Team key', FIRST)
    await openEditor(page)
    await nameIt(page, 'Mine')
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    await page.getByRole('button', { name: 'Add argument' }).click()
    await page.getByRole('textbox', { name: 'Argument 1' }).fill(KEYED_FILE)
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByRole('textbox', { name: 'Name of variable 1' }).fill('API_KEY')
    await page.getByRole('textbox', { name: 'Name of variable 1' }).press('Tab')
    await row(page).getByRole('button', { name: 'Use shared secret' }).click()
    await page.getByRole('menuitemradio', { name: 'Team key' }).click()
    await expect(row(page)).toContainText('Shared secret Team key')
    await expect(row(page).getByRole('button', { name: 'Use another shared secret' })).toBeFocused()
    expect(await faultsOf(page)).toEqual([])
    await approve(page)
    await expectStatus(page, 'Mine', 'Ready')
    await openServer(page, 'Mine', 'Log')
    await expect(logOf(page, 'Mine')).toContainText(`key ${hashOf(FIRST)}`)
    await openSettings(page, 'Servers')
    await expect(storedSecrets(page)).toContainText('used by Mine (API key)')
    await page.getByRole('button', { name: 'Change value of Team key' }).click()
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill(SECOND)
    await page.getByRole('dialog').getByRole('button', { name: 'Change value' }).click()
    await page.getByRole('button', { name: 'Restart Mine' }).click()
    await openServer(page, 'Mine', 'Log')
    await expect(logOf(page, 'Mine')).toContainText(`key ${hashOf(SECOND)}`)

    await configure(page, 'Mine')
    await expect(row(page)).toContainText('Shared secret Team key')
    expect(await page.content()).not.toContain('value-of-the-team')
    await row(page).getByRole('button', { name: "Don't use" }).click()
    const value = page.getByRole('textbox', { name: 'Value of API_KEY' })
    await expect(value).toBeFocused()
    await value.fill('mine-alone')
    await row(page).getByRole('button', { name: 'Save as shared secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect(row(page)).toContainText('Shared secret API_KEY')
    await approve(page)
    await expectStatus(page, 'Mine', 'Ready')
    await openServer(page, 'Mine', 'Log')
    await expect(logOf(page, 'Mine')).toContainText(`key ${hashOf('mine-alone')}`)
    await openSettings(page, 'Servers')
    await expect(storedSecrets(page)).toContainText('not used')
  })
})
