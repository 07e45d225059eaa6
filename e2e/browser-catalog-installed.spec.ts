import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import {
  approve,
  expectStatus,
  followRegistry,
  goTo,
  nameIt,
  openServer,
  serverLink,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { listedServer } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

const NAME = 'com.acme/notes'
const { packages } = fixtureServer('plain.mjs') as { readonly packages: object[] }

/** Follows two registries. */
async function follow(page: Page, first: string, other: string): Promise<void> {
  await followRegistry(page, first)
  await page.getByRole('button', { name: 'Add registry' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(other)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Searches for servers that two registries list under one name. */
async function search(page: Page): Promise<void> {
  await goTo(page, 'Catalog')
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill(NAME)
  await expect(page.getByText('2 found')).toBeVisible()
}

/** Opens the details of one of them. */
async function look(page: Page, title: string): Promise<Locator> {
  await page.getByRole('button', { name: title, exact: true }).click()
  const detail = page.getByRole('complementary', { name: title, exact: true })
  await expect(detail.getByRole('button', { name: /^Set up( another copy)?$/u })).toBeVisible()
  return detail
}

/** The publisher's instructions are text, and its page opens after a question. */
async function expectSteps(place: Locator, ran: string): Promise<void> {
  const steps = place.getByRole('region', { name: 'After installing' })
  await expect(steps.getByRole('listitem')).toContainText('<b>Fetch</b> a model once.')
  await expect(steps.getByText(`touch ${ran}`)).toBeVisible()
  await steps.getByRole('button', { name: 'notes.example/steps' }).click()
  const dialog = place.page().getByRole('dialog')
  await expect(dialog).toContainText('https://notes.example/steps')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
}

const card = (page: Page, title: string): Locator =>
  page
    .getByRole('list', { name: 'Servers' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: title, exact: true }) })

test.describe('D2: catalog data of an installed server', () => {
  test('is shown for the server it was set up from, not for its namesake in another registry', async ({
    app: { page, profileDir },
  }) => {
    const ran = join(profileDir, 'ran')
    const postInstallInstructions = [
      {
        description: '<b>Fetch</b> a model once.',
        command: `touch ${ran}`,
        documentation: 'https://notes.example/steps',
      },
    ]
    const withSteps = packages.map((one) => ({ ...one, postInstallInstructions }))
    await using own = await startLocalRegistry([
      listedServer({ name: NAME, title: 'Notes inside', packages: withSteps }),
    ])
    await using first = await startLocalRegistry([
      listedServer({ name: NAME, title: 'Notes', packages }),
    ])
    await follow(page, first.url, own.url)
    await search(page)
    const fresh = await look(page, 'Notes inside')
    await expect(fresh.getByRole('link', { name: 'Open installed' })).toBeHidden()
    await expectSteps(fresh, ran)
    await fresh.getByRole('button', { name: 'Set up', exact: true }).click()
    await nameIt(page, 'Mine')
    await approve(page)
    await expectStatus(page, 'Mine', 'Ready')

    await search(page)
    await expect(card(page, 'Notes inside')).toContainText('Installed')
    await expect(card(page, 'Notes')).not.toContainText('Installed')
    const namesake = await look(page, 'Notes')
    await expect(namesake.getByRole('button', { name: 'Set up', exact: true })).toBeVisible()
    await expect(namesake.getByRole('link', { name: 'Open installed' })).toBeHidden()

    const detail = await look(page, 'Notes inside')
    await detail.getByRole('link', { name: 'Open installed' }).click()
    await expect(page.getByRole('heading', { name: 'Mine', level: 1 })).toBeVisible()
    await openServer(page, 'Mine', 'Settings')
    await expectSteps(page.getByRole('region', { name: 'Configuration' }), ran)
    // E10: the instructions are shown, and Patchbay runs none of them.
    expect(existsSync(ran)).toBe(false)

    await search(page)
    await (
      await look(page, 'Notes inside')
    )
      .getByRole('button', { name: 'Set up another copy', exact: true })
      .click()
    await expect(page.getByRole('heading', { name: 'Set up Notes inside' })).toBeVisible()
    await nameIt(page, 'Mine too')
    await approve(page)
    await expectStatus(page, 'Mine too', 'Ready')
    await expect(serverLink(page, 'Mine', 'Ready')).toBeVisible()
  })
})
