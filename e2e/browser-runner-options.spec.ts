import { join } from 'node:path'

import { approve, argvOf, configure, openEditor, openServer, paste } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'

const OPTIONS = '?field=runner-options&value=--with&value=mcp%3C2'

test.describe("E15: a Python package that doesn't work with the newest mcp", () => {
  test('gets the option for an older mcp with one click, in the command under review', async ({
    app: { page },
  }) => {
    await openEditor(page)
    await page.getByRole('textbox', { name: 'Server name' }).fill('Old')
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    await page.getByRole('button', { name: 'Add argument' }).click()
    await page
      .getByRole('textbox', { name: 'Argument 1' })
      .fill(join(import.meta.dirname, 'servers', 'mcp-moved-on.mjs'))
    await approve(page)
    await openServer(page, 'Old')
    await page.getByRole('main').getByRole('link', { name: 'Add --with mcp<2' }).first().click()
    await expect(page.getByRole('heading', { name: 'Configure Old' })).toBeVisible()
    await expect(argvOf(page).nth(1)).toHaveText('--with')
    await expect(argvOf(page).nth(2)).toHaveText('mcp<2')
    await expect(page.getByRole('button', { name: /^Approve and/u })).toBeVisible()
  })

  test('from the catalog has the option in its own field', async ({ app: { page } }) => {
    await paste(page, {
      name: 'test.example/older',
      title: 'Older',
      description: 'A package of PyPI.',
      version: '1.0.0',
      packages: [
        {
          registryType: 'pypi',
          identifier: 'older',
          version: '1.0.0',
          transport: { type: 'stdio' },
        },
      ],
    })
    await page.getByRole('button', { name: 'Save for later' }).click()
    await configure(page, 'Older')
    await page.goto(`${page.url()}${OPTIONS}`)
    await page.reload()
    await expect(page.getByRole('textbox', { name: 'uvx options 2' })).toHaveValue('mcp<2')
    await expect(argvOf(page)).toContainText(['--with', 'mcp<2'])
  })
})
