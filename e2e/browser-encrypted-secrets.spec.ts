import { join } from 'node:path'

import { approve, expectStatus, goTo, nameIt, openEditor } from './fixtures/drive'
import { filesHolding } from './fixtures/files-holding'
import { expect, test } from './fixtures/patchbay-test'

const PASSPHRASE = 'seven calm otters sing'
const SECRET = 'correct-horse-battery'
const KEYED = join(import.meta.dirname, 'servers', 'keyed.mjs')

test.describe('E16: secrets without a keychain', () => {
  test('are kept in a file with a passphrase, which the next start asks for', async ({
    openApp,
    profileDir,
  }) => {
    const first = await openApp()
    await openEditor(first.page)
    await nameIt(first.page, 'Keyed')
    await first.page.getByRole('textbox', { name: 'Command' }).fill('node')
    await first.page.getByRole('button', { name: 'Add argument' }).click()
    await first.page.getByRole('textbox', { name: 'Argument 1' }).fill(KEYED)
    await first.page.getByRole('button', { name: 'Add variable' }).click()
    await first.page.getByRole('textbox', { name: 'Name of variable 1' }).fill('API_KEY')
    await first.page.getByRole('textbox', { name: 'Name of variable 1' }).press('Tab')
    await first.page.getByRole('textbox', { name: 'Value of API_KEY' }).fill(SECRET)
    await approve(first.page)
    await expectStatus(first.page, 'Keyed', 'Ready')

    await goTo(first.page, 'Settings')
    await first.page.getByRole('button', { name: 'Keep in an encrypted file' }).first().click()
    const choose = first.page.getByRole('dialog')
    await choose.getByLabel('Passphrase', { exact: true }).fill('too short')
    await choose.getByRole('button', { name: 'Encrypt' }).click()
    await expect(choose).toContainText('Enter at least 12 characters.')
    await choose.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE)
    await choose.getByLabel('Passphrase again').fill(PASSPHRASE)
    await choose.getByRole('button', { name: 'Encrypt' }).click()
    await expect(
      first.page.getByRole('link', { name: 'Secrets in an encrypted file' }),
    ).toBeVisible()
    await first.close()
    for (const text of [SECRET, PASSPHRASE]) expect(filesHolding(profileDir, text)).toEqual([])

    const { page } = await openApp()
    const unlock = page.getByRole('dialog', { name: 'Unlock your secrets' })
    await unlock.getByLabel('Passphrase').fill('another one entirely')
    await unlock.getByRole('button', { name: 'Unlock' }).click()
    await expect(unlock).toContainText('The passphrase is wrong')
    await unlock.getByLabel('Passphrase').fill(PASSPHRASE)
    await unlock.getByRole('button', { name: 'Unlock' }).click()
    await expect(unlock).toBeHidden()
    await expectStatus(page, 'Keyed', 'Ready')
    await expect(page.getByRole('link', { name: 'Secrets in an encrypted file' })).toBeVisible()
  })
})
