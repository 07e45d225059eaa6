import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { argvOf, paste } from './fixtures/drive'
import { EVERY_KIND, MANY_FIELDS } from './fixtures/form-servers'
import { expect, test } from './fixtures/patchbay-test'

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}

test.describe('A3: a form', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`is free of axe's faults in each of its states, ${colorScheme}`, async ({
      app: { page },
    }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await paste(page, EVERY_KIND)
      await page.getByRole('button', { name: 'Advanced' }).click()
      expect.soft(await faultsOf(page), 'untouched').toEqual([])
      await page.getByRole('textbox', { name: 'Root 1' }).fill('~/a')
      await page.keyboard.press('Enter')
      await page.keyboard.type('/nobody-has-this')
      await page.getByLabel('Port', { exact: true }).fill('many')
      await page.getByRole('switch', { name: 'Watch' }).click()
      await page.getByRole('radio', { name: 'exact' }).click()
      await page.locator('#field-arg_api-key').fill('correct-horse')
      await page.getByRole('button', { name: 'Save for later' }).click()
      await expect(page.getByText('Enter a number.')).toBeVisible()
      await expect(page.getByText('Nothing is at this path yet.')).toBeVisible()
      expect.soft(await faultsOf(page), 'filled in, with a problem').toEqual([])
    })
  }

  test('is filled in, corrected and saved by keys alone', async ({ app: { page } }) => {
    await paste(page, EVERY_KIND)
    await page.getByRole('textbox', { name: 'Server name' }).focus()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('textbox', { name: 'Root 1' })).toBeFocused()
    await page.keyboard.type('/')
    // Past the buttons that remove the entry, add one, and turn the mode into a list.
    for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab')
    await expect(page.getByRole('radio', { name: 'fast' })).toBeFocused()
    await page.keyboard.press('ArrowRight', { delay: 100 })
    await expect(argvOf(page)).toContainText(['--root', '/', '--mode', 'exact'])
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Every kind', level: 1 })).toBeVisible()
  })

  test('with many fields is searched by keys alone', async ({ app: { page } }) => {
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
    expect(await faultsOf(page)).toEqual([])
    await advanced.press('Enter')
    await expect(page.getByLabel('Setting 40', { exact: true })).toBeHidden()
  })
})
