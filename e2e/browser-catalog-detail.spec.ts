import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { expectStatus, goTo, install, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { listedServer, manyServers, npmPackage } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"%3E%3Cpath d="M0 0h1v1z"/%3E%3C/svg%3E'

function version(text: string, publishedAt: string, argument: string, isLatest = false): object {
  return listedServer({
    name: 'io.github.ann/notes',
    title: 'Notes',
    version: text,
    publishedAt,
    updatedAt: publishedAt,
    isLatest,
    packages: [
      npmPackage('@ann/notes', {
        version: text,
        packageArguments: [{ type: 'positional', value: argument }],
      }),
    ],
  })
}

async function follow(page: Page, url: string): Promise<void> {
  await goTo(page, 'Settings')
  const address = page.getByLabel('Registry address')
  await address.fill(url)
  await address.press('Enter')
}

async function find(page: Page, text: string, title: string): Promise<void> {
  await goTo(page, 'Catalog')
  await page.getByRole('searchbox', { name: 'Search the catalog' }).fill(text)
  await page.getByRole('button', { name: title, exact: true }).click()
  await expect(page.getByRole('complementary', { name: title, exact: true })).toBeVisible()
}

test.describe('D2: one server of the registry in full', () => {
  test('its versions are listed, compared, and an older one is set up', async ({
    app: { page },
  }) => {
    const registry = await startLocalRegistry([
      version('1.0.0', '2026-01-05T00:00:00Z', 'first'),
      version('1.1.0', '2026-02-05T00:00:00Z', 'second'),
      version('2.0.0', '2026-03-05T00:00:00Z', 'third', true),
    ])
    await follow(page, registry.url)
    await find(page, 'notes', 'Notes')
    const detail = page.getByRole('complementary', { name: 'Notes', exact: true })
    const versions = detail.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect(versions).toHaveText([/^2\.0\.0.*Newest/u, /^1\.1\.0/u, /^1\.0\.0/u])
    await expect(detail).toContainText(/Listed for .* in 3 versions\./u)
    await expect(detail).toContainText('Published as ann, which is not verified')

    await detail.getByText('Compare two versions').click()
    const changes = detail.getByRole('list', { name: 'Changes between the versions' })
    await expect(changes).toContainText('removed: ')
    await expect(changes).toContainText('"value": "second"')
    await expect(changes).toContainText('"value": "third"')
    await detail.getByText('Registry entry as JSON').click()
    await expect(detail.getByLabel('Registry entry as JSON')).toContainText('"@ann/notes"')

    await detail.getByRole('button', { name: 'Set up version 1.0.0' }).click()
    await expect(page.getByRole('list', { name: 'Command' })).toContainText('@ann/notes@1.0.0')
    await page.reload()
    await expect(page.getByRole('list', { name: 'Command' })).toContainText('first')
    await registry.close()
  })

  test('favourites and what was looked at are found again, also after a restart', async ({
    openApp,
    profileDir,
  }) => {
    const registry = await startLocalRegistry(manyServers(60))
    const first = await openApp()
    await follow(first.page, registry.url)
    await find(first.page, 'server-0042', 'server-0042')
    await first.page.getByRole('button', { name: 'Add to favourites' }).click()
    await expect(first.page.getByRole('button', { name: 'Remove from favourites' })).toBeVisible()
    const marks = join(profileDir, 'catalog-marks.json')
    await expect.poll(() => readFileSync(marks, 'utf8')).toMatch(/"viewed":\[\{[^\]]*server-0042/u)
    await find(first.page, 'server-0007', 'server-0007')
    const filters = first.page.getByRole('complementary', { name: 'Filters' })
    await first.page.getByRole('searchbox', { name: 'Search the catalog' }).fill('')
    await filters.getByLabel('Favourites').check()
    await expect(first.page.getByText('1 server', { exact: true })).toBeVisible()
    await first.close()
    await registry.close()

    // Without the network, from its own copy.
    const { page } = await openApp()
    await goTo(page, 'Catalog')
    await page.getByRole('complementary', { name: 'Filters' }).getByLabel('Favourites').check()
    await expect(page.getByRole('button', { name: 'server-0042', exact: true })).toBeVisible()
    await page.getByRole('complementary', { name: 'Filters' }).getByLabel('Viewed lately').check()
    await expect(page.getByRole('button', { name: 'server-0042', exact: true })).toBeVisible()
  })

  test('hostile texts are shown as text, and nothing is fetched or opened for them (CVE-2026-44429: stored XSS)', async ({
    app: { page },
  }) => {
    const registry = await startLocalRegistry([
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
        ...{ icons: [{ src: PICTURE }] },
      }),
    ])
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', () => asked.push('dialog'))
    await follow(page, registry.url)
    await goTo(page, 'Catalog')
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('script')
    const detail = page.getByRole('complementary', {
      name: '<script>alert(1)</script> gnp',
    })
    await expect(detail).toContainText('<b>bold</b>')
    await detail.getByRole('button', { name: 'evil.example/%3Cscript%3E' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('https://evil.example/%3Cscript%3E')
    await expect(dialog.getByRole('link', { name: 'Open' })).toHaveAttribute(
      'href',
      'https://evil.example/%3Cscript%3E',
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('drawn')
    const picture = page.getByRole('list', { name: 'Servers' }).locator('img')
    await expect(picture).toHaveAttribute('src', /^data:image\/svg\+xml;base64,/u)
    const own = new URL(page.url()).origin
    expect(asked.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).toEqual([])
    await registry.close()
  })

  test('an entry that is taken down leaves the list and warns on what was set up from it', async ({
    app: { page },
  }) => {
    const plain = fixtureServer('plain.mjs', { title: 'Plain one' })
    const registry = await startLocalRegistry([plain])
    await follow(page, registry.url)
    // The first reading is over: a wish to refresh before that joins it.
    await goTo(page, 'Catalog')
    const search = page.getByRole('searchbox', { name: 'Search the catalog' })
    await search.fill('plain one')
    await expect(page.getByRole('button', { name: 'Plain one', exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Refresh the catalog' })).toBeVisible()
    await search.fill('')
    await install(page, plain, 'Plain')
    await expectStatus(page, 'Plain', 'Ready')
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
    await page.getByRole('button', { name: 'Refresh the catalog' }).click()
    await goTo(page, 'Home')
    await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText(
      'Plain: The registry took its entry down.',
    )
    await openServer(page, 'Plain')
    await expect(page.getByText('The registry took its entry down.')).toBeVisible()
    await expect(page.getByText('It says: “It sent keys away.”')).toBeVisible()
    await goTo(page, 'Catalog')
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('plain')
    // What was pasted in this run is no registry's to take away.
    await expect(page.getByText('1 found')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Servers' })).toContainText('Pasted')
    await registry.close()
  })

  test('a private registry is followed with a token that no file holds', async ({
    app: { page, profileDir },
  }) => {
    const own = await startLocalRegistry(
      [listedServer({ name: 'com.acme/inside', title: 'Inside' })],
      {
        token: 'token-of-acme',
      },
    )
    await goTo(page, 'Settings')
    await page.getByRole('button', { name: 'Add a registry' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(own.url)
    await dialog.getByLabel('Token', { exact: true }).fill('token-of-acme')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(page.getByRole('list', { name: 'Other registries' })).toContainText(
      /Token: (Saved in keychain|kept in memory)/u,
    )
    await find(page, 'inside', 'Inside')
    const files = ['settings.json', 'catalog/catalog.db', 'catalog/catalog.db-wal']
    for (const file of files) {
      expect(readFileSync(join(profileDir, file)).includes('token-of-acme'), file).toBe(false)
    }
    await goTo(page, 'Settings')
    await page.getByRole('switch', { name: `Follow ${own.url}` }).click()
    await goTo(page, 'Catalog')
    await expect(page.getByText('No server matches “inside”')).toBeVisible()
    await goTo(page, 'Settings')
    await page.getByRole('button', { name: `Actions for ${own.url}` }).click()
    await page.getByRole('menuitem', { name: 'Remove registry' }).click()
    await page.getByRole('button', { name: 'Remove the registry' }).click()
    await expect(page.getByRole('list', { name: 'Other registries' })).toBeHidden()
    await own.close()
  })
})
