import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import {
  approve,
  argvOf,
  expectStatus,
  goTo,
  install,
  logOf,
  nameIt,
  openServer,
  paste,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { startSecretService } from './fixtures/secret-service'

const SECRET = 'correct-horse-battery'
const ROTATED = 'staple-of-another-kind'
const keyed = fixtureServer('keyed.mjs', {
  environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
})
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
      installations: { installationId: string; secretKeys: string[] }[]
    }
    const [saved] = installations
    const account = `${saved?.installationId ?? ''}/${saved?.secretKeys[0] ?? ''}`
    expect(await service.lookup(keychain, account)).toBe(SECRET)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: /Configure/u }).click()
    await expect(page.getByText('Saved in keychain')).toBeVisible()
    expect(await page.content()).not.toContain(SECRET)
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
      SECRET,
    )
    expect(filesHolding(profileDir, SECRET)).toEqual([])
    await app.close()
    expect(filesHolding(profileDir, SECRET)).toEqual([])

    // Opening again, the server gets it from the keychain.
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
    await expect(again.page.getByText(/was removed\.$/u).first()).toBeVisible()
    expect(await service.lookup(keychain, account)).toBe(SECRET)
    await again.close()
    expect(await service.lookup(keychain, account)).toBeNull()
    await service.stop()
  })

  test('that two servers share is changed in one place, and no file ever holds it', async ({
    openApp,
    profileDir,
  }) => {
    const service = await startSecretService()
    test.skip('unavailable' in service, 'unavailable' in service ? service.unavailable : '')
    if ('unavailable' in service) return
    // Six starts of servers and two of the app.
    test.slow()
    const keychain = 'Patchbay shared secrets'
    const env = { ...service.env, PATCHBAY_KEYCHAIN_SERVICE: keychain }
    const app = await openApp({ env })
    const { page } = app
    await paste(page, keyed)
    await nameIt(page, 'One')
    await page.getByLabel('API key', { exact: true }).fill(SECRET)
    await page.getByRole('button', { name: 'Store it for other servers too' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Team key')
    await page.getByRole('dialog').getByRole('button', { name: 'Store' }).click()
    await approve(page)
    await paste(page, keyed)
    await nameIt(page, 'Two')
    await page.getByRole('button', { name: 'Use a stored secret' }).click()
    await page.getByRole('menuitemradio', { name: 'Team key' }).click()
    await approve(page)
    const account = `shared/${secretIdIn(profileDir)}`
    expect(await service.lookup(keychain, account)).toBe(SECRET)
    await expectKey(page, SECRET)

    await goTo(page, 'Settings')
    await page.getByRole('button', { name: 'Change value of Team key' }).click()
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill(ROTATED)
    await page.getByRole('dialog').getByRole('button', { name: 'Change value' }).click()
    await page.getByRole('button', { name: 'Restart 2 servers' }).click()
    await expectKey(page, ROTATED)
    expect(await service.lookup(keychain, account)).toBe(ROTATED)
    for (const value of [SECRET, ROTATED]) expect(filesHolding(profileDir, value)).toEqual([])
    await app.close()
    for (const value of [SECRET, ROTATED]) expect(filesHolding(profileDir, value)).toEqual([])

    const again = await openApp({ env })
    await expectKey(again.page, ROTATED)
    await goTo(again.page, 'Settings')
    await again.page.getByRole('button', { name: 'Actions for Team key' }).click()
    await again.page.getByRole('menuitem', { name: 'Remove…' }).click()
    await again.page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Remove/u })
      .click()
    await expect.poll(() => service.lookup(keychain, account)).toBeNull()
    await again.close()
    await service.stop()
  })

  test('is held in memory with a word of warning where there is no keychain', async ({
    openApp,
    profileDir,
  }) => {
    const { page } = await openApp({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' } })
    await expect(page.getByText('Secrets are kept in memory for this run.').first()).toBeVisible()
    await paste(page, withKey)
    await expect(page.getByText('Kept in memory only')).toBeVisible()
    await page.getByLabel('Api key').or(page.getByLabel('API key')).first().fill(SECRET)
    await approve(page)
    await expectStatus(page, 'plain', 'Ready')
    expect(filesHolding(profileDir, SECRET)).toEqual([])
  })

  test('is not needed for a server without one', async ({ app: { page } }) => {
    await install(page, fixtureServer('plain.mjs'), 'Plain')
    await expectStatus(page, 'Plain', 'Ready')
  })
})

function secretIdIn(profileDir: string): string {
  const text = readFileSync(join(profileDir, 'settings.json'), 'utf8')
  const { secrets } = JSON.parse(text) as { secrets: { secretId: string }[] }
  return secrets[0]?.secretId ?? ''
}

/** Both servers tell in their logs which key they have, as a hash. */
async function expectKey(page: Page, value: string): Promise<void> {
  const hash = createHash('sha256').update(value).digest('hex').slice(0, 12)
  for (const name of ['One', 'Two']) {
    await expectStatus(page, name, 'Ready')
    await openServer(page, name, 'Log')
    await expect(logOf(page, name)).toContainText(`key ${hash}`)
  }
}

/** Files below a folder that hold the text, byte for byte. */
function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && readFileSync(path).includes(text)
  })
}
