import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { followRegistry, goTo, installReady, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { listedServer, type MadeUp, manyServers, npmPackage } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"%3E%3Cpath d="M0 0h1v1z"/%3E%3C/svg%3E'

function version(
  text: string,
  publishedAt: string,
  argument: string,
  more: Partial<MadeUp> = {},
): object {
  return listedServer({
    name: 'io.github.ann/notes',
    title: 'Notes',
    version: text,
    publishedAt,
    updatedAt: publishedAt,
    isLatest: false,
    packages: [
      npmPackage('@ann/notes', {
        version: text,
        packageArguments: [{ type: 'positional', value: argument }],
      }),
    ],
    ...more,
  })
}

async function find(page: Page, text: string, title: string): Promise<void> {
  await goTo(page, 'Catalog')
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill(text)
  await page.getByRole('button', { name: title, exact: true }).click()
  await expect(page.getByRole('complementary', { name: title, exact: true })).toBeVisible()
}

test.describe("D2: a registry server's details", () => {
  test('its versions are listed and compared, and an older one is set up', async ({
    app: { page },
  }) => {
    await using registry = await startLocalRegistry([
      version('0.9.0', '2025-12-05T12:00:00Z', 'none', { status: 'deleted' }),
      version('1.0.0', '2026-01-05T12:00:00Z', 'first'),
      version('1.1.0', '2026-02-05T12:00:00Z', 'second', {
        status: 'deprecated',
        statusMessage: 'It loses notes.',
      }),
      version('2.0.0', '2026-03-05T12:00:00Z', 'third', { isLatest: true }),
    ])
    await followRegistry(page, registry.url)
    await find(page, 'notes', 'Notes')
    const detail = page.getByRole('complementary', { name: 'Notes', exact: true })
    const versions = detail.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect(versions).toHaveText([
      '2.0.0Mar 5, 2026Latest',
      '1.1.0Feb 5, 2026DeprecatedSet upIt loses notes.',
      '1.0.0Jan 5, 2026Set up',
      '0.9.0Dec 5, 2025Deleted',
    ])
    await expect(detail).toContainText(/Listed for .*, 4 versions\./u)
    await expect(detail).toContainText('Published as ann, not verified.')

    await detail.getByText('Compare versions').click()
    const changes = detail.getByRole('list', { name: 'Changes between versions' })
    await expect(changes).toContainText('removed: ')
    await expect(changes).toContainText('"value": "second"')
    await expect(changes).toContainText('"value": "third"')
    await detail.getByLabel('Older version').selectOption('1.0.0')
    await detail.getByLabel('Newer version').selectOption('1.1.0')
    await expect(changes).toContainText('removed: ')
    await expect(changes).toContainText('"value": "first"')
    await expect(changes).not.toContainText('"value": "third"')
    await detail.getByText('Registry entry as JSON').click()
    await expect(detail.getByLabel('Registry entry as JSON')).toContainText('"@ann/notes"')

    await detail.getByRole('button', { name: 'Set up version 1.0.0' }).click()
    await expect(page.getByRole('list', { name: 'Command' })).toContainText('@ann/notes@1.0.0')
    await page.reload()
    await expect(page.getByRole('list', { name: 'Command' })).toContainText('first')
  })

  test('favorites and recently viewed servers survive a restart', async ({
    openApp,
    profileDir,
  }) => {
    const registry = await startLocalRegistry(manyServers(60))
    const first = await openApp()
    await followRegistry(first.page, registry.url)
    await find(first.page, 'server-0042', 'server-0042')
    await first.page.getByRole('button', { name: 'Add to favorites' }).click()
    await expect(first.page.getByRole('button', { name: 'Remove from favorites' })).toBeVisible()
    const marks = join(profileDir, 'catalog-marks.json')
    await expect.poll(() => readFileSync(marks, 'utf8')).toMatch(/"viewed":\[\{[^\]]*server-0042/u)
    await find(first.page, 'server-0007', 'server-0007')
    await expect.poll(() => readFileSync(marks, 'utf8')).toMatch(/"viewed":\[\{[^\]]*server-0007/u)
    const filters = first.page.getByRole('complementary', { name: 'Filters' })
    await first.page.getByRole('searchbox', { name: 'Search catalog' }).fill('')
    await filters.getByLabel('Favorites').check()
    await expect(first.page.getByText('1 server', { exact: true })).toBeVisible()
    await first.close()
    await registry.close()

    // Offline, from its own copy.
    const { page } = await openApp()
    await goTo(page, 'Catalog')
    const cards = page.getByRole('list', { name: 'Servers' }).getByRole('button')
    const choices = page.getByRole('complementary', { name: 'Filters' })
    await choices.getByLabel('Favorites').check()
    await expect(cards).toHaveText(['server-0042'])
    await choices.getByLabel('Recently viewed').check()
    await expect(cards).toHaveText(['server-0007', 'server-0042'])
    await page.getByRole('button', { name: /^Your servers: / }).click()
    await page.getByRole('button', { name: 'Sync catalog' }).click()
    await find(page, 'server-0023', 'server-0023')
    const detail = page.getByRole('complementary', { name: 'server-0023', exact: true })
    await expect(detail).toContainText('Versions known so far.')
    // Versions that no registry was asked for aren't shown.
    await expect(detail.getByText(', 1 version.')).toBeHidden()
    await expect(page.getByText('Showing the catalog synced')).toBeVisible()
  })

  test('hostile text is shown as text, and nothing is fetched or opened (CVE-2026-44429: stored XSS)', async ({
    app: { page },
  }) => {
    await using registry = await startLocalRegistry([
      {
        server: {
          name: 'io.github.eve/<img src=x onerror=alert(1)>',
          title: '<script>alert(1)</script> \u202egnp',
          description: '<b>bold</b> [link](javascript:alert(1)) ${process.env.HOME}',
          version: '1.0.0',
          websiteUrl: 'javascript:alert(1)',
          repository: { url: 'https://evil.example/%3Cscript%3E', source: 'x' },
          icons: [{ src: 'http://127.0.0.1:9/icon.png' }],
          packages: [npmPackage('--eval=1')],
        },
      },
      listedServer({
        name: 'io.github.ann/drawn',
        title: 'Drawn',
        ...{ icons: [{ src: PICTURE }], websiteUrl: 'http://evil.example' },
      }),
      listedServer({
        name: 'io.github.ann/drawn-badly',
        title: 'Drawn badly',
        ...{ icons: [{ src: 'data:image/png;base64,AAAA' }] },
      }),
    ])
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    page.on('dialog', () => requests.push('dialog'))
    await followRegistry(page, registry.url)
    await goTo(page, 'Catalog')
    await page.getByRole('searchbox', { name: 'Search catalog' }).fill('script')
    const detail = page.getByRole('complementary', {
      name: '<script>alert(1)</script> gnp',
    })
    await expect(detail).toContainText('<b>bold</b>')
    await expect(detail).toContainText('2 metadata entries ignored')
    await expect(detail.getByText('Website', { exact: true })).toHaveCount(0)
    await detail.getByRole('button', { name: 'evil.example/%3Cscript%3E' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('https://evil.example/%3Cscript%3E')
    await expect(dialog.getByRole('link', { name: 'Open' })).toHaveAttribute(
      'href',
      'https://evil.example/%3Cscript%3E',
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('searchbox', { name: 'Search catalog' }).fill('drawn')
    const picture = page.getByRole('list', { name: 'Servers' }).locator('img')
    await expect(picture).toHaveAttribute('src', /^data:image\/svg\+xml;base64,/u)
    const cards = page.getByRole('list', { name: 'Servers' }).getByRole('listitem')
    await expect(cards.filter({ hasText: 'Drawn badly' })).toHaveText(/^DB/u)
    await page.getByRole('button', { name: 'Drawn', exact: true }).click()
    const drawn = page.getByRole('complementary', { name: 'Drawn', exact: true })
    await expect(drawn.getByRole('heading', { name: 'Package' })).toBeVisible()
    await expect(drawn.getByText('Website', { exact: true })).toHaveCount(0)
    const own = new URL(page.url()).origin
    expect(requests.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).toEqual([])
  })

  test('a deleted entry leaves the list and warns on its installation', async ({
    app: { page },
  }) => {
    const plain = fixtureServer('plain.mjs', { title: 'Plain one' })
    await using registry = await startLocalRegistry([plain])
    await followRegistry(page, registry.url)
    // The first sync has ended: a refresh before that would join it.
    await goTo(page, 'Catalog')
    const search = page.getByRole('searchbox', { name: 'Search catalog' })
    await search.fill('plain one')
    await expect(page.getByRole('button', { name: 'Plain one', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sync catalog' })).toBeVisible()
    await search.fill('')
    await installReady(page, plain, 'Plain')
    registry.entries.splice(
      0,
      1,
      listedServer({
        name: 'test.fixture/plain',
        status: 'deleted',
        statusMessage: 'It sent keys away.',
        updatedAt: new Date().toISOString(),
      }),
    )
    await goTo(page, 'Catalog')
    await page.getByRole('button', { name: 'Sync catalog' }).click()
    await goTo(page, 'Home')
    await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText(
      'The registry deleted this server.',
    )
    await openServer(page, 'Plain')
    await expect(page.getByText('The registry deleted this server.')).toBeVisible()
    await expect(page.getByText('Message: “It sent keys away.”')).toBeVisible()
    await goTo(page, 'Catalog')
    await page.getByRole('searchbox', { name: 'Search catalog' }).fill('plain')
    // An entry pasted in this run stays, whatever a registry says.
    await expect(page.getByText('1 found')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Servers' })).toContainText('Pasted')
  })
})
