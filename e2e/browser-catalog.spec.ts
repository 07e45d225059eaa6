import type { Page } from '@playwright/test'

import {
  approve,
  expectStatus,
  followRegistry,
  goTo,
  nameIt,
  openCatalogOf,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { listedServer, manyServers, npmPackage } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

const SECRET = { environmentVariables: [{ name: 'TOKEN', isSecret: true, isRequired: true }] }
const FOUND = [
  listedServer({
    name: 'com.stripe/payments',
    title: 'Stripe',
    description: 'Takes payments.',
    remotes: [{ type: 'streamable-http', url: 'https://mcp.stripe.com/mcp' }],
  }),
  listedServer({
    name: 'io.github.ann/postgres',
    title: 'Postgres',
    description: 'Asks a database.',
    packages: [npmPackage('@ann/postgres', SECRET)],
  }),
  listedServer({
    name: 'io.github.bea/old',
    title: 'Old one',
    status: 'deprecated',
    statusMessage: 'Use the new one.',
    statusChangedAt: '2026-05-03T12:00:00Z',
  }),
  fixtureServer('plain.mjs', { title: 'Plain one' }),
  ...manyServers(240),
]

function search(page: Page): ReturnType<Page['getByRole']> {
  return page.getByRole('searchbox', { name: 'Search catalog' })
}

test.describe('D2: the whole registry on screen', () => {
  test(
    'starter servers are shown first, the unreachable registry is reported, then fetched',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      await goTo(page, 'Catalog')
      await expect(page.getByText('Showing 14 starter servers')).toBeVisible()
      await expect(page.getByText('14 servers', { exact: true }).first()).toBeVisible()

      const registry = await startLocalRegistry(FOUND)
      await registry.close()
      await followRegistry(page, registry.url)
      await goTo(page, 'Catalog')
      await expect(page.getByText('Offline: showing 14 starter servers')).toBeVisible()
      await expect(page.getByText(/couldn’t be reached/u).first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Filesystem', exact: true })).toBeVisible()

      await using running = await startLocalRegistry(FOUND)
      await openCatalogOf(page, running.url, 258)
      await expect(page.getByText('Offline')).toBeHidden()
    },
  )

  test(
    'servers are found by text, filters and sorting, with counts for each choice, and installed',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      await using registry = await startLocalRegistry(FOUND)
      await openCatalogOf(page, registry.url, 258)
      await search(page).fill('postgers')
      await expect(page.getByText(/Showing “postgres”/u)).toBeVisible()
      await expect(page.getByRole('button', { name: 'Postgres', exact: true })).toBeVisible()
      await search(page).fill('stripe')
      await expect(page.getByText('1 found')).toBeVisible()
      const detail = page.getByRole('complementary', { name: 'Stripe', exact: true })
      await expect(detail).toContainText('Published as stripe.com, not verified.')
      await expect(detail).toContainText('mcp.stripe.com belongs to stripe.com.')
      await expect(detail).toContainText('Connects to mcp.stripe.com')

      await search(page).fill('')
      const filters = page.getByRole('complementary', { name: 'Filters' })
      await filters.getByLabel(/^Remote/u).check()
      await expect(page.getByText('1 server', { exact: true })).toBeVisible()
      await page.getByRole('button', { name: /^Type: Remote/u }).click()
      await filters.getByLabel(/^Deprecated/u).check()
      await expect(page.getByRole('button', { name: 'Old one', exact: true })).toBeVisible()
      await expect(page.getByText('Message: “Use the new one.”')).toBeVisible()
      await expect(page.getByText('Deprecated since May 3, 2026.')).toBeVisible()
      await page.getByRole('button', { name: /^Status: Deprecated/u }).click()

      await page.getByRole('button', { name: /^Sorted by/u }).click()
      await page.getByRole('menuitemradio', { name: 'Name' }).click()
      const names = page.getByRole('list', { name: 'Servers' }).getByRole('listitem')
      await expect(names.first().getByTitle('ai.exa/exa')).toHaveText('exa.ai')

      await search(page).fill('plain')
      const plain = page.getByRole('complementary', { name: 'Plain one', exact: true })
      await plain.getByRole('button', { name: 'Set up', exact: true }).click()
      await nameIt(page, 'Plain')
      await approve(page)
      await expectStatus(page, 'Plain', 'Ready')
    },
  )

  test('the list is navigated by keyboard to its end, loading on the way, and starts again at the top', async ({
    app: { page },
  }) => {
    await using registry = await startLocalRegistry(FOUND)
    await openCatalogOf(page, registry.url, 258)
    await page.keyboard.press('/')
    await expect(search(page)).toBeFocused()
    // In one step: results for a prefix would be taken for those of the whole word.
    await page.keyboard.insertText('server')
    await expect(page.getByText(/\d+ found/u)).toBeVisible()
    // Results may still arrive: the end must be that of the new list.
    const list = page.getByRole('list', { name: 'Servers' })
    await list.getByRole('button').first().focus()
    await page.keyboard.press('End')
    await expect(page.getByText('250 found')).toBeVisible()
    // Only visible rows are rendered.
    expect(await list.getByRole('listitem').count()).toBeLessThan(60)
    const last = list.getByRole('listitem').last()
    await expect(last.getByRole('button')).toBeFocused()
    await expect(last).toHaveAttribute(
      'aria-posinset',
      (await last.getAttribute('aria-setsize')) ?? '',
    )
    await page.keyboard.press('/')
    await search(page).fill('')
    await expect(page.getByText('258 servers', { exact: true })).toBeVisible()
    await expect(list.getByRole('listitem').first()).toHaveAttribute('aria-posinset', '1')
    await search(page).press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: /^Set up/u })).toBeVisible()
  })
})
