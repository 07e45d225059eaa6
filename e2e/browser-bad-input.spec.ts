import { approve, expectStatus, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test.describe('bad input loses nothing and explains itself', () => {
  test('an old configuration without a required value starts nothing and leads to the field', async ({
    app: { page },
  }) => {
    await paste(
      page,
      fixtureServer('plain.mjs', {
        packageArguments: [
          { type: 'named', name: '--mode', description: 'A mode' },
          {
            type: 'named',
            name: '--root',
            description: 'Folders',
            isRequired: true,
            isRepeated: true,
          },
        ],
      }),
    )
    await page.getByRole('button', { name: 'Paste values' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('{"package_args": {"mode": "a,b"}}')
    await dialog.getByRole('button', { name: /^Add as is/u }).click()
    await expectStatus(page, 'plain', 'Error')
    await expect(page.getByText('CONFIG_INCOMPLETE').first()).toBeVisible()
    await page
      .getByRole('button', { name: 'Fill in Root' })
      .or(page.getByRole('link', { name: 'Fill in Root' }))
      .first()
      .click()
    const root = page.getByRole('textbox', { name: 'Root 1' })
    await expect(root).toBeFocused()
    await expect(page.getByLabel('Mode', { exact: true })).toHaveValue('a,b')
    await root.fill('/tmp')
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
  })
})
