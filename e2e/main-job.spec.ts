import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import {
  approve,
  argvOf,
  expectStatus,
  goTo,
  installReady,
  logOf,
  openServer,
  setUp,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'

test.describe('A3, A4, A5 and B5: from the catalog to a running server', () => {
  test(
    'a required field blocks the start, two folders become two arguments, and the server is Ready',
    { tag: '@gate' },
    async ({ app: { page, pid }, profileDir }) => {
      const folders = ['notes', 'meeting notes'].map((name) => join(profileDir, name))
      for (const folder of folders) mkdirSync(folder)
      await setUp(page, 'Filesystem')
      const before = descendantsOf(pid)

      await page.getByRole('button', { name: 'Save for later' }).click()
      const first = page.getByRole('textbox', { name: 'Allowed folders 1' })
      await expect(
        page.getByRole('alert').filter({ hasText: 'Enter at least one folder.' }),
      ).toBeVisible()
      await expect(first).toBeFocused()
      await expect(first).toHaveAttribute('aria-invalid', 'true')
      expect(descendantsOf(pid).filter((child) => !before.includes(child))).toEqual([])
      await expect(page.getByRole('navigation', { name: 'Your servers' })).toBeHidden()

      await first.fill(folders[0] ?? '')
      await page.getByRole('button', { name: 'Add folder' }).click()
      await page.getByRole('textbox', { name: 'Allowed folders 2' }).fill(folders[1] ?? '')
      await expect(argvOf(page)).toHaveText([
        'npx',
        '-y',
        /^@modelcontextprotocol\/server-filesystem@\d/u,
        ...folders,
      ])

      await approve(page)
      await expectStatus(page, 'Filesystem', 'Ready')
      await openServer(page, 'Filesystem', 'Tools')
      await expect(page.getByRole('tab', { name: 'Tools 14' })).toBeVisible()
      await expect(page.getByText('read_text_file').first()).toBeVisible()
      await openServer(page, 'Filesystem', 'Log')
      await expect(logOf(page, 'Filesystem')).toContainText(
        'Secure MCP Filesystem Server running on stdio',
      )
    },
  )

  test('a window reload shows the same state', async ({ app: { page } }) => {
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openServer(page, 'Plain', 'Log')
    const lines = logOf(page, 'Plain')
    await expect(lines).toContainText('Ready with 1 tool')
    await page.reload()
    await expectStatus(page, 'Plain', 'Ready')
    await expect(lines).toContainText('Ready with 1 tool')
    await goTo(page, 'Home')
    await expect(page.getByRole('heading', { name: 'Your server is ready' })).toBeVisible()
  })
})
