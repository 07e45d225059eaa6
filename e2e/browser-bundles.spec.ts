import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import { approve, argvOf, expectStatus, nameIt, openBundlePage, openServer } from './fixtures/drive'
import { sha256Of, tellingBundle } from './fixtures/make-bundle'
import { expect, test } from './fixtures/patchbay-test'

test.describe('A1: bundles', () => {
  test(
    'a local bundle is opened, filled in, started and Ready',
    { tag: '@gate' },
    async ({ app: { page, profileDir } }) => {
      const bytes = await tellingBundle()
      const path = join(profileDir, 'telling.mcpb')
      writeFileSync(path, bytes)
      await openBundlePage(page)
      await expect(page.getByRole('textbox', { name: 'Bundle file' })).toBeFocused()
      await page.keyboard.type(path)
      await page.keyboard.press('Enter')

      const opened = page.getByRole('region', { name: 'Telling bundle' })
      await expect(opened).toContainText(sha256Of(bytes))
      await expect(opened).toContainText('A publisher')
      await expect(opened).toContainText('can’t be verified')
      expect(await faultsOf(page)).toEqual([])
      await expect(opened.getByRole('link', { name: 'Set up' })).toBeFocused()
      await page.keyboard.press('Enter')

      await expect(page.getByRole('heading', { name: 'Set up Telling bundle' })).toBeVisible()
      await nameIt(page, 'Telling')
      await page.getByLabel('Access key').fill('s3cret-key')
      await page
        .getByRole('textbox', { name: /^Folders to use/u })
        .first()
        .fill('/tmp')
      const limit = page.getByLabel('Limit', { exact: true })
      await limit.fill('100')
      await limit.press('Tab')
      await expect(page.locator('[data-field="set_limit"]').getByRole('alert')).toHaveText(
        'Enter a number from 1 to 99.',
      )
      await limit.fill('10')
      await limit.press('Tab')
      await expect(page.locator('[data-field="set_limit"]').getByRole('alert')).toHaveCount(0)
      await expect(argvOf(page).last()).toHaveText('a {brace}')
      await expect(argvOf(page)).toContainText(['--mode=calm', '/tmp', '--limit', '10'])
      await expect(page.getByText('s3cret-key')).toHaveCount(0)
      await approve(page)
      await expectStatus(page, 'Telling', 'Ready')
      await openServer(page, 'Telling', 'Tools')
      await expect(page.getByRole('tabpanel')).toContainText('The tool tell')
    },
  )
})

/** The same with one setting less and one argument more. */
const NEWER = {
  version: '1.3.0',
  server: {
    type: 'node',
    entry_point: 'server/tells.mjs',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/tells.mjs', '--safe', '${user_config.folders}'],
      env: { API_KEY: '${user_config.api_key}' },
    },
  },
  user_config: {
    api_key: { type: 'string', title: 'Access key', sensitive: true, required: true },
    folders: { type: 'directory', title: 'Folders to use', multiple: true, required: true },
  },
}

async function fill(page: Page, name: string): Promise<void> {
  await nameIt(page, name)
  await page.getByLabel('Access key').fill('s3cret-key')
  await page
    .getByRole('textbox', { name: /^Folders to use/u })
    .first()
    .fill('/tmp')
  await approve(page)
  await expectStatus(page, name, 'Ready')
}

/** Checks and approves the review of 1.3.0. */
async function reviewAndApprove(page: Page, name: string, versions: string): Promise<void> {
  await expect(page.getByRole('heading', { name: versions })).toBeVisible()
  const changes = page.getByRole('list', { name: 'Command changes' })
  await expect(changes).toContainText('added: --safe')
  await expect(changes).toContainText('removed: --mode=calm')
  await expect(
    page.getByText('Saved in keychain').or(page.getByText('Saved in memory')),
  ).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await approve(page)
  await expectStatus(page, name, 'Ready')
  await openServer(page, name, 'Log')
  await expect(page.getByRole('log')).toContainText('--safe /tmp')
}

test.describe('A1: another version of a bundle', () => {
  test('on this computer is opened from the server and reviewed as its update', async ({
    app: { page, profileDir },
  }) => {
    const path = join(profileDir, 'telling.mcpb')
    writeFileSync(path, await tellingBundle())
    await openBundlePage(page)
    await page.getByRole('textbox', { name: 'Bundle file' }).fill(path)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Set up', exact: true }).click()
    await fill(page, 'Telling')

    writeFileSync(path, await tellingBundle(NEWER))
    await openServer(page, 'Telling')
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Check for updates' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Update Telling from file' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Bundle file' }).fill(path)
    await page.keyboard.press('Enter')
    const installed = page.getByRole('region', { name: 'Already installed' })
    await expect(installed).toContainText('Telling uses version 1.2.0.')
    await expect(page.getByRole('link', { name: 'Set up another copy' })).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
    await installed.getByRole('link', { name: 'Review update of Telling' }).click()
    await reviewAndApprove(page, 'Telling', '1.2.0 → 1.3.0')
  })
})
