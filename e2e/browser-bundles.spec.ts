import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { faultsOf } from './fixtures/axe-faults'
import {
  approve,
  argvOf,
  expectStatus,
  nameIt,
  openBundlePage,
  openPaste,
  openServer,
} from './fixtures/drive'
import { sha256Of, tellingBundle } from './fixtures/make-bundle'
import { expect, test } from './fixtures/patchbay-test'
import { serveHttps } from './fixtures/serve-https'

test.describe('A1: bundles', () => {
  let home: string
  test.beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'patchbay-bundle-e2e-'))
  })
  test.afterEach(() => rmSync(home, { recursive: true, force: true }))

  test(
    'a bundle of this computer is opened, filled in, started and ready',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      const bytes = await tellingBundle()
      const path = join(home, 'telling.mcpb')
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

  test('what is no bundle is refused in words, and another can be opened', async ({
    app: { page },
  }) => {
    const path = join(home, 'text.mcpb')
    writeFileSync(path, 'no zip')
    await openBundlePage(page)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(page.getByText('Enter a file path.')).toBeVisible()
    await page.getByRole('textbox', { name: 'Bundle file' }).fill(path)
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(page.getByRole('alert')).toContainText('not a zip archive')
    await page.getByRole('textbox', { name: 'Bundle file' }).fill(join(home, 'none.mcpb'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alert')).toContainText('File not found')
  })

  test('a bundle of the catalog comes over https, and its hash is compared', async ({
    openApp,
  }) => {
    const bytes = await tellingBundle()
    const https = await serveHttps(home, () => bytes)
    const { page } = await openApp({ env: { NODE_EXTRA_CA_CERTS: https.certFile } })
    try {
      await readEntry(page, entryOf(`${https.address}/slow.mcpb`, sha256Of(bytes)))
      const facts = page.getByRole('region', { name: 'Download', exact: true })
      await expect(facts).toContainText(new URL(https.address).host)
      await expect(facts).toContainText('slow.mcpb')
      await expect(facts).toContainText(sha256Of(bytes))
      expect(await faultsOf(page)).toEqual([])

      await page.getByRole('button', { name: 'Download and verify' }).click()
      await expect(page.getByRole('progressbar')).toBeVisible()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect(page.getByRole('button', { name: 'Download and verify' })).toBeVisible()

      await readEntry(page, entryOf(`${https.address}/telling.mcpb`, 'a'.repeat(64)))
      await page.getByRole('button', { name: 'Download and verify' }).click()
      await expect(page.getByRole('alert')).toContainText('a'.repeat(64))
      await expect(page.getByRole('alert')).toContainText(sha256Of(bytes))

      await readEntry(page, entryOf(`${https.address}/telling.mcpb`, sha256Of(bytes)))
      await page.getByRole('button', { name: 'Download and verify' }).click()
      const opened = page.getByRole('region', { name: 'A bundle', exact: true })
      await expect(opened).toContainText('Verified bundle')
      await opened.getByRole('link', { name: 'Set up' }).click()
      await nameIt(page, 'Downloaded')
      await page.getByLabel('Access key').fill('s3cret-key')
      await page
        .getByRole('textbox', { name: /^Folders to use/u })
        .first()
        .fill('/tmp')
      await approve(page)
      await expectStatus(page, 'Downloaded', 'Ready')
    } finally {
      await https.close()
    }
  })
})

function entryOf(identifier: string, fileSha256: string): object {
  return {
    name: 'test.publisher/bundle',
    title: 'A bundle',
    description: 'd',
    version: '1.0.0',
    packages: [{ registryType: 'mcpb', identifier, fileSha256, transport: { type: 'stdio' } }],
  }
}

/** Reads an entry as text, which leads to the page of its bundle. */
async function readEntry(page: Page, entry: object): Promise<void> {
  const dialog = await openPaste(page)
  await dialog.getByRole('textbox').fill(JSON.stringify(entry))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'Download' })).toBeVisible()
}
