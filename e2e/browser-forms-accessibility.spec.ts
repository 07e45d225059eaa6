import { argvOf, arrowTo, paste } from './fixtures/drive'
import { EVERY_KIND, MANY_FIELDS } from './fixtures/form-servers'
import { expect, test } from './fixtures/patchbay-test'

test.describe('A3: a form', () => {
  test('is filled in, corrected and saved by keyboard alone', async ({ app: { page } }) => {
    await paste(page, EVERY_KIND)
    const name = page.getByRole('textbox', { name: 'Server name' })
    await name.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('  ')
    await page.keyboard.press('Control+Enter')
    await expect(name).toHaveAccessibleDescription('Enter a name.')
    await expect(name).toBeFocused()
    await page.keyboard.type('Every kind')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('textbox', { name: 'Root 1' })).toBeFocused()
    await page.keyboard.type('/')
    // Past the buttons that remove the entry, add one, and turn the mode into a list.
    for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab')
    await expect(page.getByRole('radio', { name: 'fast' })).toBeFocused()
    await arrowTo('ArrowRight', page.getByRole('radio', { name: 'exact' }))
    await expect(argvOf(page)).toContainText(['--root', '/', '--mode', 'exact'])
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Every kind', level: 1 })).toBeVisible()
  })

  test('with many fields is searched by keyboard alone', async ({ app: { page } }) => {
    await paste(page, MANY_FIELDS)
    await page.getByRole('main').focus()
    await page.keyboard.press('/')
    await page.keyboard.type('number 40')
    await expect(page.getByLabel('Setting 40', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByLabel('Setting 40', { exact: true })).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'Server name' })).toBeVisible()

    const advanced = page.getByRole('button', { name: 'Advanced' })
    await advanced.press('Enter')
    await expect(page.getByLabel('Setting 40', { exact: true })).toBeVisible()
    await advanced.press('Enter')
    await expect(page.getByLabel('Setting 40', { exact: true })).toBeHidden()
  })
})
