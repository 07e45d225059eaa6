import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { goTo, openSettings } from './fixtures/drive'
import { listedServer, manyServers, npmPackage } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

/** What is said of a token by the secret store that there is. */
const KEPT = /Saved in (keychain|memory)/u
const SECRET = { environmentVariables: [{ name: 'TOKEN', isSecret: true }] }

/** Makes a registry the first one, and waits until it was asked. */
async function followFirst(page: Page, url: string): Promise<void> {
  await openSettings(page, 'Catalog')
  const address = page.getByRole('textbox', { name: 'Registry address' })
  await address.fill(url)
  await address.press('Enter')
}

/** Adds one more registry; gives its row. */
async function add(page: Page, url: string, token?: string): Promise<Locator> {
  await openSettings(page, 'Catalog')
  await page.getByRole('button', { name: 'Add registry' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(url)
  if (token !== undefined) await dialog.getByLabel('Token', { exact: true }).fill(token)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()
  const rows = page.getByRole('list', { name: 'Other registries' }).getByRole('listitem')
  return rows.filter({ hasText: url })
}

test.describe('D2: registries beside the first', () => {
  test('a token that is wrong is told in words, replaced, and removed after a question', async ({
    app: { page, profileDir },
  }) => {
    const first = await startLocalRegistry(manyServers(3))
    const own = await startLocalRegistry([listedServer({ name: 'com.acme/inside' })], {
      token: 'token-of-acme',
    })
    await followFirst(page, first.url)
    const row = await add(page, own.url, 'a-wrong-token')
    await expect(row).toContainText(KEPT)
    await expect(row.getByRole('status')).toContainText('Check the token of this registry.')
    await expect(row).toContainText('Not synced yet')

    await row.getByRole('button', { name: 'Replace token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Replace token' }).click()
    await expect(dialog).toContainText('Enter a value.')
    await expect(dialog.getByLabel('Token', { exact: true })).toHaveValue('')
    await dialog.getByLabel('Token', { exact: true }).fill(' token-of-acme ')
    await dialog.getByRole('button', { name: 'Replace token' }).click()
    await expect(row).toContainText('1 server, updated just now')
    await expect(row.getByRole('status')).toBeEmpty()
    expect(await page.content()).not.toContain('token-of-acme')
    expect(readFileSync(join(profileDir, 'settings.json'), 'utf8')).not.toContain('token-of-acme')

    const remove = async (): Promise<void> => {
      await row.getByRole('button', { name: `Actions for ${own.url}` }).click()
      await page.getByRole('menuitem', { name: 'Remove token' }).click()
    }
    await remove()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(row).toContainText(KEPT)
    await remove()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove token' }).click()
    await expect(row).not.toContainText(KEPT)
    await expect(row.getByRole('button', { name: 'Add token' })).toBeVisible()
    await expect(row).toContainText('1 server, updated')

    const actions = row.getByRole('button', { name: `Actions for ${own.url}` })
    const ask = async (): Promise<void> => {
      await actions.click()
      await page.getByRole('menuitem', { name: 'Remove registry' }).click()
    }
    await ask()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(actions).toBeFocused()
    await ask()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove registry' }).click()
    await expect(row).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Add registry' })).toBeFocused()
    await first.close()
    await own.close()
  })

  test('what a new registry can’t be is said at its field, or with a way to learn more', async ({
    app: { page },
  }) => {
    const own = await startLocalRegistry([listedServer({ name: 'com.acme/inside' })])
    await add(page, own.url)
    await page.getByRole('button', { name: 'Add registry' }).click()
    const dialog = page.getByRole('dialog')
    const address = dialog.getByLabel('Address')
    await address.fill(own.url)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog).toContainText('is already in the list of registries.')
    await expect(address).toBeFocused()

    await address.fill('http://registry.example')
    await dialog.getByLabel('Token', { exact: true }).fill('a-token')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(dialog).toContainText('Tokens are sent over https only.')
    await dialog.getByRole('button', { name: 'Learn more about INVALID_REQUEST' }).click()
    const help = page.getByRole('dialog', { name: /carry out this action/u })
    await help.getByRole('button', { name: 'Close' }).click()
    await expect(help).toBeHidden()
    // Nothing typed is lost.
    await expect(address).toHaveValue('http://registry.example')
    await own.close()
  })

  test('a private registry is followed with a token that no file holds', async ({
    app: { page, profileDir },
  }) => {
    const inside = listedServer({ name: 'com.acme/inside', title: 'Inside' })
    const own = await startLocalRegistry([inside], { token: 'token-of-acme' })
    await expect(await add(page, own.url, 'token-of-acme')).toContainText(KEPT)
    await goTo(page, 'Catalog')
    await page.getByRole('searchbox', { name: 'Search catalog' }).fill('inside')
    await expect(page.getByRole('button', { name: 'Inside', exact: true })).toBeVisible()
    const files = ['settings.json', 'catalog/catalog.db', 'catalog/catalog.db-wal']
    for (const file of files) {
      expect(readFileSync(join(profileDir, file)).includes('token-of-acme'), file).toBe(false)
    }
    await openSettings(page, 'Catalog')
    await page.getByRole('switch', { name: `Sync ${own.url}` }).click()
    await goTo(page, 'Catalog')
    await expect(page.getByText('No results for “inside”')).toBeVisible()
    await openSettings(page, 'Catalog')
    await page.getByRole('button', { name: `Actions for ${own.url}` }).click()
    await page.getByRole('menuitem', { name: 'Remove registry' }).click()
    await page.getByRole('button', { name: 'Remove registry' }).click()
    await expect(page.getByRole('list', { name: 'Other registries' })).toBeHidden()
    await own.close()
  })

  test('all that failed are named, and one is asked again alone', async ({ app: { page } }) => {
    const first = await startLocalRegistry(manyServers(3))
    const second = await startLocalRegistry([listedServer({ name: 'com.acme/inside' })])
    first.misbehave('html')
    second.misbehave('unauthorized')
    await followFirst(page, first.url)
    await add(page, second.url)
    await goTo(page, 'Catalog')
    const banner = page.getByRole('status').filter({ hasText: 'registries' })
    await expect(banner).toContainText('Can’t sync any of 2 registries')
    const hosts = [first, second].map(({ url }) => new URL(url).host)
    for (const host of hosts) await expect(banner).toContainText(host)

    await banner.getByRole('button', { name: 'Show why' }).click()
    const states = page.getByRole('list', { name: 'Synced registries' })
    await expect(states.getByRole('listitem')).toHaveText([
      /web page.*Try again$/u,
      /Check the token.*Try again$/u,
    ])
    second.misbehave('ok')
    const asked = first.requests.length
    await states.getByRole('button', { name: `Try again: ${hosts[1]}` }).click()
    await expect(states.getByRole('listitem').last()).toContainText('1 server, updated just now')
    await expect(banner).toContainText('Can’t sync 1 of 2 registries')
    expect(first.requests).toHaveLength(asked)
    await first.close()
    await second.close()
  })

  test('each is counted in the filters, and what it lists is not called verified', async ({
    app: { page },
  }) => {
    const first = await startLocalRegistry(manyServers(3))
    const second = await startLocalRegistry([
      listedServer({ name: 'com.acme/inside', packages: [npmPackage('inside', SECRET)] }),
    ])
    await followFirst(page, first.url)
    await add(page, second.url)
    await goTo(page, 'Catalog')
    await expect(page.getByText('18 servers, updated just now')).toBeVisible()
    const filters = page.getByRole('complementary', { name: 'Filters' })
    const [one = '', other = ''] = [first, second].map(({ url }) => new URL(url).host)
    await expect(filters.getByRole('group', { name: 'Registry' }).locator('label')).toHaveText([
      `${one} 3`,
      `${other} 1`,
    ])
    await filters.getByLabel(other).check()
    await expect(page.getByText('1 server', { exact: true })).toBeVisible()
    await expect(filters.getByRole('group', { name: 'Secrets' }).locator('label')).toHaveText([
      'Uses secrets 1',
    ])
    await expect(filters.getByRole('group', { name: 'Publisher' }).locator('label')).toHaveText([
      'Not verified 1',
    ])
    await expect(page.getByRole('list', { name: 'Servers' })).not.toContainText('Verified')
    const detail = page.getByRole('complementary', { name: 'inside', exact: true })
    await expect(detail).toContainText('acme.com, not verified')
    await expect(detail).toContainText('Published as acme.com, not verified.')
    await first.close()
    await second.close()
  })

  test('a narrow window tells how fresh the catalog is, too', async ({ app: { page } }) => {
    const first = await startLocalRegistry(manyServers(450))
    first.misbehave('hang', { after: 2 })
    await page.setViewportSize({ width: 640, height: 400 })
    await followFirst(page, first.url)
    await goTo(page, 'Catalog')
    await page.getByRole('button', { name: /^Refreshing: 2 pages, 200 entries/u }).click()
    const states = page.getByRole('list', { name: 'Synced registries' })
    await expect(states).toContainText('Refreshing: 2 pages, 200 entries')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stop sync' }).click()
    first.misbehave('ok')
    await page.getByRole('button', { name: 'Sync catalog' }).click()
    await expect(page.getByRole('button', { name: '464 servers, updated just now' })).toBeVisible()
    await first.close()
  })
})
