import { approve, argvOf, configure, expectStatus, nameIt, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { EVERY_KIND } from './fixtures/form-servers'
import { expect, test } from './fixtures/patchbay-test'

const SECRET = 'correct-horse-battery'

test.describe('A7: a secret in a form', () => {
  test('in the process list can be moved to a variable', async ({ app: { page } }) => {
    await paste(page, EVERY_KIND)
    const field = page.locator('[data-field="arg_api-key"]')
    await expect(field).toContainText('Other programs can read secrets')
    await page.locator('#field-arg_api-key').fill(SECRET)
    await expect(argvOf(page)).toContainText(['--api-key', '••••••••'])
    await field.getByRole('button', { name: 'Use SERVICE_API_KEY instead' }).click()
    const variable = page.locator('#field-env_SERVICE_API_KEY')
    await expect(variable).toBeFocused()
    await expect(variable).toHaveValue(SECRET)
    await expect(page.getByRole('list', { name: 'Environment' })).toContainText(
      'SERVICE_API_KEY=••••••••',
    )
    await expect(argvOf(page)).not.toContainText(['--api-key'])
  })
  test('with several values shows only their number once saved', async ({ app: { page } }) => {
    const packageArguments = [{ type: 'named', name: '--header', isSecret: true, isRepeated: true }]
    await paste(page, fixtureServer('plain.mjs', { packageArguments }))
    await nameIt(page, 'Headers')
    await page.getByRole('button', { name: 'Several values' }).click()
    await page.getByLabel('Header 1').fill('Cookie: a,b')
    await page.getByRole('button', { name: 'Add value' }).click()
    await expect(page.getByLabel('Header 2')).toBeFocused()
    await page.getByLabel('Header 2').fill('X: 2')
    await expect(argvOf(page)).toContainText(['--header', '••••••••', '--header', '••••••••'])
    await approve(page)
    await expectStatus(page, 'Headers', 'Ready')
    await configure(page, 'Headers')
    const field = page.locator('[data-field="arg_header"]')
    await expect(field).toContainText(/(Saved in keychain|Saved in memory), 2 values/u)
    await expect(argvOf(page)).toContainText(['--header', '••••••••', '--header', '••••••••'])
  })

  test('once saved is never read back: it is replaced, removed, or kept', async ({
    app: { page },
  }) => {
    await paste(page, EVERY_KIND)
    await page.getByRole('textbox', { name: 'Root 1' }).fill('/')
    await page.locator('#field-arg_api-key').fill(SECRET)
    await approve(page)
    await expectStatus(page, 'Every kind', 'Ready')
    await configure(page, 'Every kind')
    const field = page.locator('[data-field="arg_api-key"]')
    await expect(field).toContainText(/Saved in keychain|Saved in memory/u)
    expect(await page.content()).not.toContain(SECRET)

    await field.getByRole('button', { name: 'Remove' }).press('Enter')
    await expect(field).toContainText('Removed when you save')
    await expect(argvOf(page)).not.toContainText(['--api-key'])
    await expect(field.getByRole('button', { name: 'Keep' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(field.getByRole('button', { name: 'Replace' })).toBeFocused()
    await expect(argvOf(page)).toContainText(['--api-key', '••••••••'])

    await page.keyboard.press('Enter')
    await expect(page.locator('#field-arg_api-key')).toBeFocused()
    await field.getByRole('button', { name: 'Keep saved value' }).press('Enter')
    await expect(field).toContainText(/Saved in keychain|Saved in memory/u)
  })
})
