import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from '@playwright/test'

import { openConnect } from './fixtures/apps-page'
import { faultsOf } from './fixtures/axe-faults'
import {
  approve,
  expectStatus,
  nameIt,
  openServer,
  openSettings,
  paste,
  pidOf,
  storeSecret,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import { HomeWithApps } from './fixtures/home-with-apps'
import { expect, isAlive, type OpenApp, test } from './fixtures/patchbay-test'
import { type SecretService, startSecretService } from './fixtures/secret-service'
import type { WayIn } from './ways-in/way-in'

// Each test has its own port.
test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

const KEYCHAIN = 'Patchbay removal'
const HOST_TEXT = '{\n    "mcpServers":   { "notes": {"command": "notes"} },\n  "other" :[1,2]\n}\n'
const keyed = fixtureServer('keyed.mjs', {
  environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true }],
})

/** A private keychain, or none if the machine lacks a part. */
async function startKeychain(): Promise<SecretService | undefined> {
  const service = await startSecretService()
  return 'unavailable' in service ? undefined : service
}

/** The app with a running server with a secret, a shared secret, and an agent with a connected app. */
async function openFull(
  openApp: OpenApp,
  service: SecretService,
  home: HomeWithApps,
): Promise<{ app: Awaited<ReturnType<OpenApp>>; serverPid: number }> {
  const env = { ...service.env, ...home.env, PATCHBAY_KEYCHAIN_SERVICE: KEYCHAIN }
  const app = await openApp({ env })
  const { page } = app
  await paste(page, keyed)
  await nameIt(page, 'Keyed')
  await page.getByLabel('API key', { exact: true }).fill('correct-horse-battery')
  await approve(page)
  await expectStatus(page, 'Keyed', 'Ready')
  await openServer(page, 'Keyed')
  const serverPid = await pidOf(page)
  await storeSecret(page, 'Team key', 'staple')
  const dialog = await openConnect(page, 'Cursor')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return { app, serverPid }
}

async function openRemoval(page: Page): Promise<void> {
  await openSettings(page, 'Advanced')
  await page.getByRole('link', { name: 'Remove everything…' }).click()
  await expect(page.getByRole('region', { name: 'Not removed' })).toBeVisible()
}

/** Confirms by keyboard alone. */
async function confirm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Remove everything' }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: 'Remove everything?' })
  await dialog.getByRole('textbox').press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Type “remove” here.')
  await dialog.getByRole('textbox').fill('remove')
  await dialog.getByRole('textbox').press('Enter')
}

test.describe('D6: Remove everything', () => {
  // Starts the app, a keyring and a server, and stops them all.
  test.slow()

  test(
    'leaves nothing: no entry, no secret, no file, no process',
    { tag: '@gate' },
    async ({ openApp, profileDir, wayIn }) => {
      const service = await startKeychain()
      test.skip(service === undefined, 'there is no keyring here')
      if (!service) return
      using home = new HomeWithApps()
      home.write('cursor', HOST_TEXT)
      const { app, serverPid } = await openFull(openApp, service, home)
      const { page } = app
      expect(home.read('cursor')).toContain('"patchbay"')
      // The server's, the shared one, the agent's, and the key of the file copies.
      expect(await service.accounts(KEYCHAIN)).toHaveLength(4)

      await openRemoval(page)
      await expect(page.getByRole('region', { name: 'App configuration files' })).toContainText(
        home.file('cursor'),
      )
      const secrets = page.getByRole('region', { name: 'Keychain' })
      await expect(secrets.getByRole('listitem')).toHaveCount(4)
      await expect(secrets).toContainText('API key of Keyed')
      await expect(page.getByRole('region', { name: 'Files and folders' })).toContainText(
        join(profileDir, 'settings.json'),
      )
      for (const theme of ['light', 'dark'])
        expect.soft(await faultsIn(page, theme), theme).toEqual([])

      await confirm(page)
      await expectAllGone(page)
      await expect(page.getByRole('region', { name: 'Removed' })).toContainText('Entry patchbay')
      for (const theme of ['light', 'dark'])
        expect.soft(await faultsIn(page, theme), `outcome, ${theme}`).toEqual([])
      expect(home.read('cursor')).toBe(HOST_TEXT)
      expect(await service.accounts(KEYCHAIN)).toEqual([])
      expect(isAlive(serverPid)).toBe(false)
      expect(readdirSync(profileDir).filter((name) => name !== 'lock.sock')).toEqual([])

      await quit(page, wayIn)
      await expect.poll(() => isAlive(app.pid)).toBe(false)
      expect(await app.close()).toBe(0)
      await expect.poll(() => existsSync(profileDir)).toBe(false)
      expect(home.read('cursor')).toBe(HOST_TEXT)
      expect(await service.accounts(KEYCHAIN)).toEqual([])
      await service.stop()
    },
  )

  test('names a read-only file, and includes it in another try', async ({
    openApp,
    profileDir,
    wayIn,
  }) => {
    const service = await startKeychain()
    test.skip(service === undefined, 'there is no keyring here')
    if (!service) return
    using home = new HomeWithApps()
    home.write('cursor', HOST_TEXT)
    const { app, serverPid } = await openFull(openApp, service, home)
    const { page } = app
    const connected = home.read('cursor')
    chmodSync(home.file('cursor'), 0o444)
    await openRemoval(page)
    await confirm(page)
    const left = page.getByRole('region', { name: 'Remaining' })
    await expect(left.getByRole('listitem')).toHaveCount(2)
    await expect(left.getByRole('listitem').first()).toContainText(home.file('cursor'))
    await expect(left.getByRole('listitem').first()).toContainText('read-only')
    expect(home.read('cursor')).toBe(connected)
    expect(await service.accounts(KEYCHAIN)).toEqual([])
    expect(isAlive(serverPid)).toBe(false)
    const kept = readdirSync(profileDir).filter((name) => name !== 'lock.sock')
    expect(kept).toEqual(['hosts.json'])

    if (wayIn === 'browser') {
      // A reloaded tab knows what happened, and shows the rest.
      await page.reload()
      await expect(
        page.getByRole('heading', { name: 'Patchbay removed from this computer' }),
      ).toBeVisible()
      await page.getByRole('button', { name: 'Show remaining items' }).click()
      await expect(left.getByRole('listitem')).toHaveCount(2)
    }
    chmodSync(home.file('cursor'), 0o644)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectAllGone(page)
    expect(home.read('cursor')).toBe(HOST_TEXT)
    await quit(page, wayIn)
    await expect.poll(() => isAlive(app.pid)).toBe(false)
    expect(await app.close()).toBe(0)
    await expect.poll(() => existsSync(profileDir)).toBe(false)
    await service.stop()
  })
})

async function quit(page: Page, wayIn: WayIn): Promise<void> {
  const clicking = page.getByRole('button', { name: 'Quit Patchbay' }).click()
  // The desktop window may be gone before the click returns.
  await (wayIn === 'browser' ? clicking : clicking.catch(() => undefined))
  if (wayIn === 'browser')
    await expect(page.getByRole('heading', { name: 'Patchbay has quit' })).toBeVisible()
}

/** The outcome without anything left. */
async function expectAllGone(page: Page): Promise<void> {
  const name = 'Patchbay removed from this computer'
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
}

async function faultsIn(page: Page, theme: string): Promise<string[]> {
  await page.evaluate(`document.documentElement.dataset.theme = ${JSON.stringify(theme)}`)
  return faultsOf(page, theme)
}
