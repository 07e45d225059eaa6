import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import { approve, expectStatus, nameIt, openBundlePage, openServer } from './fixtures/drive'
import { tellingBundle } from './fixtures/make-bundle'
import { expect, test } from './fixtures/patchbay-test'

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

/** What the review says of 1.3.0, and its approval. */
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
  let home: string
  test.beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'patchbay-bundle-e2e-'))
  })
  test.afterEach(() => rmSync(home, { recursive: true, force: true }))

  test('of this computer is opened from the server and reviewed as its update', async ({
    app: { page },
  }) => {
    const path = join(home, 'telling.mcpb')
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
