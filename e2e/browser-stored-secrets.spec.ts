import { createHash } from 'node:crypto'

import type { Locator, Page } from '@playwright/test'

import {
  approve,
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

/** Selects a shared secret in the open form. */
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

test.describe('a shared secret', () => {
  test('is selected for two servers, changed in one place, and applied with one button', async ({
    app: { page },
  }) => {
    await storeSecret(page, 'Team key', FIRST)
    await installWith(page, 'One', 'Team key')
    await installWith(page, 'Two', 'Team key')
    await openSettings(page, 'Servers')
    await expect(storedSecrets(page)).toContainText('Used by One (API key), Two (API key)')
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
})
