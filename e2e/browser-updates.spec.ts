import type { Page } from '@playwright/test'

import {
  approve,
  expectStatus,
  followRegistry,
  logOf,
  nameIt,
  openServer,
  paste,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

const level = { type: 'named', name: '--level', description: 'How much it says', default: 'all' }
const gone = { type: 'named', name: '--gone', description: 'Not for long', default: 'soon' }
const token = { type: 'named', name: '--token', description: 'Lets it in', isSecret: true }
const OLD = fixtureServer('plain.mjs', { packageArguments: [level, gone, token] })
const NEW = {
  ...fixtureServer('plain.mjs', {
    packageArguments: [level, { type: 'named', name: '--mode', value: 'safe' }],
  }),
  version: '2.0.0',
}

async function installOld(page: Page): Promise<void> {
  await paste(page, OLD)
  await nameIt(page, 'Plain')
  await page.getByLabel('Gone', { exact: true }).fill('never')
  await page.getByLabel('Token', { exact: true }).fill('t0ken-of-mine')
  await approve(page)
  await expectStatus(page, 'Plain', 'Ready')
}

test(
  "an installed server shows a newer version's changes and runs it once approved",
  { tag: '@gate' },
  async ({ app: { page } }) => {
    await using registry = await startLocalRegistry([NEW])
    await followRegistry(page, registry.url)
    await installOld(page)

    await openServer(page, 'Plain', 'Log')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Check for updates' }).click()
    await expect(page.getByRole('heading', { name: 'Update Plain' })).toBeVisible()
    const changes = page.getByRole('list', { name: 'Command changes' })
    await expect(changes).toContainText('removed: never')
    await expect(changes).toContainText('added: safe')
    const dropped = page.getByRole('region', { name: 'Removed values' })
    await expect(dropped.getByRole('listitem')).toHaveText([
      'Gone --gone is no longer used. Previous value: never',
      'Token --token is no longer used. The saved secret is kept with the previous version.',
    ])
    await expect(page.getByText('t0ken-of-mine')).toHaveCount(0)

    // Viewing it changes nothing.
    await page.getByRole('link', { name: 'Plain', exact: true }).first().click()
    await expect(page.getByText('Version 2.0.0 is available.')).toBeVisible()
    await page.getByRole('link', { name: 'Review update' }).click()
    await approve(page)
    await expectStatus(page, 'Plain', 'Ready')
    await expect(page.getByText('Version 2.0.0 is available.')).toBeHidden()
    await openServer(page, 'Plain', 'Log')
    await expect(logOf(page, 'Plain')).toContainText('argv ["--level","all","--mode","safe"]')

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Check for updates' }).click()
    await expect(page.getByText('is up to date.').first()).toBeVisible()
  },
)
