import type { Locator } from '@playwright/test'

import { nameIt, openEditor, pasteText } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'

test.describe('the editor of a server made by hand', () => {
  test('keeps a problem at its line, until what it is about is mended at whichever line', async ({
    app: { page },
  }) => {
    await openEditor(page)
    await nameIt(page, 'Mine')
    await page.getByRole('textbox', { name: 'Command' }).fill('node')
    await page.getByRole('button', { name: 'Add variable' }).click()
    const nameOf = (line: number): Locator =>
      page.getByRole('textbox', { name: `Name of variable ${line}` })
    await pasteText(nameOf(1), 'MODE=a\nLEVEL=b\nMODE=c\n')
    await expect(nameOf(3)).toBeFocused()
    await page.getByRole('button', { name: 'Save for later' }).click()
    await expect(nameOf(3)).toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('button', { name: 'Move variable 3 up' }).click()
    await expect(nameOf(2)).toHaveAttribute('aria-invalid', 'true')
    await expect(nameOf(3)).toHaveValue('LEVEL')
    await expect(nameOf(3)).not.toHaveAttribute('aria-invalid')
    await nameOf(1).fill('OTHER')
    await expect(page.getByText('Another variable has this name.')).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Consent' })).not.toContainText('Correct')
  })
})
