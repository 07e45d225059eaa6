import { paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const SERVER = fixtureServer('plain.mjs', {
  packageArguments: [{ type: 'named', name: '--mode', description: 'A mode' }],
})

test.describe('D3: what was typed in a tab of the browser', () => {
  test('is not lost by a reload without a question', async ({ app: { page } }) => {
    await paste(page, SERVER)
    await page.getByLabel('Mode', { exact: true }).fill('typed')
    const asked = page.waitForEvent('dialog')
    const reload = page.evaluate('location.reload()')
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reload
    await expect(page.getByLabel('Mode', { exact: true })).toHaveValue('typed')
  })
})
