import { createHash } from 'node:crypto'

import type { Locator, Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import {
  approve,
  configure,
  expectStatus,
  logOf,
  nameIt,
  openServer,
  openSettings,
  paste,
  storeSecret,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const KEYED = fixtureServer('keyed.mjs', {
  title: 'Keyed',
  environmentVariables: [
    { name: 'API_KEY', description: 'The key', isSecret: true, isRequired: true },
  ],
})
const FIRST = 'first-value-of-the-team'
const SECOND = 'second-value-of-the-team'
const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12)

const storedSecrets = (page: Page): Locator => page.getByRole('list', { name: 'Shared secrets' })
const field = (page: Page): Locator => page.locator('[data-field="env_API_KEY"]')

/** Chooses a stored secret in the open form. */
async function choose(page: Page, name: string): Promise<void> {
  await field(page)
    .getByRole('button', { name: /^Use (another )?shared secret/u })
    .click()
  await page.getByRole('menuitemradio', { name }).click()
  await expect(field(page)).toContainText(`Shared secret ${name}`)
}

async function installWith(page: Page, name: string, secret: string): Promise<void> {
  await paste(page, KEYED)
  await nameIt(page, name)
  await choose(page, secret)
  await approve(page)
  await expectStatus(page, name, 'Ready')
}

async function installOwn(page: Page, name: string): Promise<void> {
  await paste(page, KEYED)
  await nameIt(page, name)
  await page.getByLabel('API key', { exact: true }).fill(FIRST)
  await approve(page)
  await expectStatus(page, name, 'Ready')
}

test.describe('a stored secret', () => {
  test('is chosen for two servers, changed in one place, and applied with one button', async ({
    app: { page },
  }) => {
    await storeSecret(page, 'Team key', FIRST)
    await installWith(page, 'One', 'Team key')
    await installWith(page, 'Two', 'Team key')
    await openSettings(page, 'Servers')
    await expect(storedSecrets(page)).toContainText('used by One (API key), Two (API key)')
    expect(await page.content()).not.toContain('value-of-the-team')

    const section = page.getByRole('region', { name: 'Secrets' })
    await section.getByRole('button', { name: 'Change value of Team key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Value', { exact: true }).fill(SECOND)
    await dialog.getByRole('button', { name: 'Change value' }).click()
    await expect(section).toContainText('Restart to apply changes. One and Two')
    await openServer(page, 'Two', 'Overview')
    await expect(page.getByRole('main')).toContainText('“Team key” has a new value.')
    await expect(page.getByRole('main')).toContainText('shared secret Team key')
    await openSettings(page, 'Servers')
    await section.getByRole('button', { name: 'Restart 2 servers' }).click()
    await expect(section).not.toContainText('Restart to apply changes')
    for (const name of ['One', 'Two']) {
      await expectStatus(page, name, 'Ready')
      await openServer(page, name, 'Log')
      await expect(logOf(page, name)).toContainText(`key ${hashOf(SECOND)}`)
      await expect(logOf(page, name)).not.toContainText('value-of-the-team')
    }
  })

  test('is made of what is typed in a form, and begins another copy of the server', async ({
    app: { page },
  }) => {
    await paste(page, KEYED)
    await nameIt(page, 'One')
    await page.getByLabel('API key', { exact: true }).fill(FIRST)
    await field(page).getByRole('button', { name: 'Save as shared secret' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Team key')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(field(page).getByRole('group', { name: 'API key' })).toBeFocused()
    await expect(field(page)).toContainText('Shared secret Team key')
    expect(await page.content()).not.toContain(FIRST)
    expect(await faultsOf(page)).toEqual([])
    await approve(page)
    await expectStatus(page, 'One', 'Ready')

    await openServer(page, 'One')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Set up another copy' }).click()
    await expect(field(page)).toContainText('Shared secret Team key')
    await nameIt(page, 'Two')
    await approve(page)
    await expectStatus(page, 'Two', 'Ready')
    await openServer(page, 'Two', 'Log')
    await expect(logOf(page, 'Two')).toContainText(`key ${hashOf(FIRST)}`)
  })

  test('that is removed names its users, and its fields say so until they have another value', async ({
    app: { page },
  }) => {
    await storeSecret(page, 'Team key', FIRST)
    await installWith(page, 'One', 'Team key')
    await openSettings(page, 'Servers')
    await page.getByRole('button', { name: 'Actions for Team key' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog.getByRole('listitem')).toHaveText(['One: API key'])
    await dialog.getByRole('button', { name: 'Remove Team key' }).click()
    await expect(page.getByText('No shared secrets yet.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add shared secret' })).toBeFocused()

    await configure(page, 'One')
    await expect(field(page)).toContainText('The shared secret no longer exists.')
    const apply = page.getByRole('button', { name: /^(Approve|Save) and restart/u })
    await apply.click()
    await expect(page.getByRole('region', { name: 'Consent' })).toContainText('Correct API key')
    expect(await faultsOf(page)).toEqual([])
    await field(page).getByRole('button', { name: "Don't use" }).press('Enter')
    await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
    await page.getByLabel('API key', { exact: true }).fill(SECOND)
    await apply.click()
    await expectStatus(page, 'One', 'Ready')
    await openServer(page, 'One', 'Log')
    await expect(logOf(page, 'One')).toContainText(`key ${hashOf(SECOND)}`)
  })
})

test.describe('a secret of one server', () => {
  test('is shared by name without being typed again, and kept when its server goes', async ({
    app: { page },
  }) => {
    await installOwn(page, 'One')
    await openSettings(page, 'Servers')
    const section = page.getByRole('region', { name: 'Secrets' })
    await expect(section).toContainText('used by One only')
    await openServer(page, 'One')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('checkbox').uncheck()
    await dialog.getByRole('button', { name: 'Remove One' }).click()
    await openSettings(page, 'Servers')
    await expect(storedSecrets(page)).toContainText('One: API key')
    await expect(storedSecrets(page)).toContainText('not used')
    await section.getByRole('button', { name: 'Actions for One: API key' }).click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Team key')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await installWith(page, 'Two', 'Team key')
    await installOwn(page, 'Three')
    await openSettings(page, 'Servers')
    await section.getByRole('button', { name: 'Share API key of Three' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('TEAM KEY')
    await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('already')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Second key')
    await page.getByRole('dialog').getByRole('button', { name: 'Share' }).click()
    await expect(storedSecrets(page)).toContainText('used by Three (API key)')
    await expect(page.getByRole('button', { name: 'Add shared secret' })).toBeFocused()
    expect(await faultsOf(page)).toEqual([])
  })

  test('is doubted at its field when it has a space at its end or is short, and kept as typed', async ({
    app: { page },
  }) => {
    await paste(page, KEYED)
    await nameIt(page, 'One')
    await page.getByLabel('API key', { exact: true }).fill('ab ')
    await expect(field(page)).toContainText(
      'The value ends with a space. Patchbay keeps it as typed.',
    )
    await expect(field(page)).toContainText('aren’t masked in the log')
    await approve(page)
    await expectStatus(page, 'One', 'Ready')
    await openServer(page, 'One', 'Log')
    await expect(logOf(page, 'One')).toContainText(`key ${hashOf('ab ')}`)
  })
})
