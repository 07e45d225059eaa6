import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { approve, argvOf, expectStatus, logOf, nameIt, openServer, paste } from './fixtures/drive'
import { filesHolding } from './fixtures/files-holding'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { startSecretService } from './fixtures/secret-service'

const SECRET = 'correct-horse-battery'
const withKey = fixtureServer('plain.mjs', {
  packageArguments: [
    { type: 'named', name: '--api-key', description: 'The key', isSecret: true, isRequired: true },
  ],
})

test.describe('A2 and A7: a secret', () => {
  test('is in the keychain and nowhere else', { tag: '@gate' }, async ({ openApp, profileDir }) => {
    const service = await startSecretService()
    test.skip('unavailable' in service, 'unavailable' in service ? service.unavailable : '')
    if ('unavailable' in service) return
    const keychain = 'Patchbay whole-app test'
    const app = await openApp({ env: { ...service.env, PATCHBAY_KEYCHAIN_SERVICE: keychain } })
    const { page } = app
    await paste(page, withKey)
    await nameIt(page, 'Keyed')
    await page.getByLabel('Api key').or(page.getByLabel('API key')).first().fill(SECRET)
    await expect(argvOf(page).last()).toHaveText('••••••••')
    await approve(page)
    await expectStatus(page, 'Keyed', 'Ready')

    await openServer(page, 'Keyed', 'Log')
    await expect(logOf(page, 'Keyed')).toContainText('argv ["--api-key","••••••••"]')
    const { installations } = JSON.parse(
      readFileSync(join(profileDir, 'settings.json'), 'utf8'),
    ) as {
      installations: { installationId: string; secrets: object }[]
    }
    const [saved] = installations
    const account = `${saved?.installationId ?? ''}/${Object.keys(saved?.secrets ?? {})[0] ?? ''}`
    expect(await service.lookup(keychain, account)).toBe(SECRET)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(page.getByText('Saved in keychain')).toBeVisible()
    expect(await page.content()).not.toContain(SECRET)
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
      SECRET,
    )
    expect(filesHolding(profileDir, SECRET)).toEqual([])
    await app.close()
    expect(filesHolding(profileDir, SECRET)).toEqual([])

    // After reopening, the server gets it from the keychain.
    const again = await openApp({ env: { ...service.env, PATCHBAY_KEYCHAIN_SERVICE: keychain } })
    await expectStatus(again.page, 'Keyed', 'Ready')
    await openServer(again.page, 'Keyed')
    await again.page.getByRole('button', { name: 'More actions' }).click()
    await again.page.getByRole('menuitem', { name: /Remove/u }).click()
    await again.page
      .getByRole('dialog')
      .or(again.page.getByRole('alertdialog'))
      .getByRole('button', { name: /^Remove/u })
      .click()
    await expect(again.page.getByText(/removed\.$/u).first()).toBeVisible()
    expect(await service.lookup(keychain, account)).toBe(SECRET)
    await again.close()
    expect(await service.lookup(keychain, account)).toBeNull()
    await service.stop()
  })

  test('is kept in memory with a warning if there is no keychain', async ({ openApp }) => {
    const { page } = await openApp({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' } })
    const notices = page.getByRole('region', { name: 'Notices' })
    await expect(notices).toContainText(
      'Keychain unavailable. Secrets are kept in memory until you quit.',
    )
    await expect(notices).not.toContainText('The keychain can’t be used.')
    await notices.getByRole('button', { name: 'Details' }).click()
    await expect(notices).toContainText('The keychain can’t be used.')
    await expect(notices).toContainText('System error: ')
    await paste(page, withKey)
    // Once, not under every secret.
    await expect(page.getByText('in memory until you quit')).toHaveCount(1)
  })
})
