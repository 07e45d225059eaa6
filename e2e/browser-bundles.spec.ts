import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { faultsOf } from './fixtures/axe-faults'
import { approve, argvOf, expectStatus, nameIt, openBundlePage, openServer } from './fixtures/drive'
import { sha256Of, tellingBundle } from './fixtures/make-bundle'
import { expect, test } from './fixtures/patchbay-test'

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
})
