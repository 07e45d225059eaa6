import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Locator, Page } from '@playwright/test'

import { followRegistry, goTo, openSettings } from './fixtures/drive'
import { listedServer, manyServers } from './fixtures/listed-servers'
import { startLocalRegistry } from './fixtures/local-registry'
import { expect, test } from './fixtures/patchbay-test'

/** Text about a token, depending on the secret store. */
const KEPT = /Saved in (keychain|memory)/u

/** Adds a registry; returns its row. */
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

test.describe('D2: additional registries', () => {
  test('a wrong token is reported, replaced, and removed after a question', async ({
    app: { page, profileDir },
  }) => {
    await using first = await startLocalRegistry(manyServers(3))
    await using own = await startLocalRegistry([listedServer({ name: 'com.acme/inside' })], {
      token: 'token-of-acme',
    })
    await followRegistry(page, first.url)
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
  })
  test('all failed ones are named, and one is retried alone', async ({ app: { page } }) => {
    await using first = await startLocalRegistry(manyServers(3))
    await using second = await startLocalRegistry([listedServer({ name: 'com.acme/inside' })])
    first.misbehave('html')
    second.misbehave('unauthorized')
    await followRegistry(page, first.url)
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
    const requestCount = first.requests.length
    await states.getByRole('button', { name: `Try again: ${hosts[1]}` }).click()
    await expect(states.getByRole('listitem').last()).toContainText('1 server, updated just now')
    await expect(banner).toContainText('Can’t sync 1 of 2 registries')
    expect(first.requests).toHaveLength(requestCount)
  })
})
