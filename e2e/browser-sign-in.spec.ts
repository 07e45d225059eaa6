import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expectStatus } from './fixtures/drive'
import { GuardedServer } from './fixtures/guarded-server'
import { expect, test } from './fixtures/patchbay-test'
import { decide, GUARDED_NAME as NAME, openPage, setUpGuarded } from './fixtures/sign-in-page'

function filesOf(profileDir: string): string {
  return readdirSync(profileDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

let guarded: GuardedServer
test.beforeEach(async () => {
  guarded = await GuardedServer.open()
})
test.afterEach(async () => {
  await guarded[Symbol.asyncDispose]()
})

test.describe('C10: sign-in', () => {
  test(
    'starts the server automatically, leaves no token in the profile, and ends with a sign-out',
    { tag: '@gate' },
    async ({ app: { page, profileDir } }) => {
      await setUpGuarded(page, guarded)
      const tab = await openPage(page, guarded)
      await decide(tab, 'Allow')
      await expect(tab.getByRole('heading', { name: 'Signed in' })).toBeVisible()
      await expectStatus(page, NAME, 'Ready')
      await expect(page.getByRole('dialog')).toBeHidden()
      await expect(page.getByRole('definition').filter({ hasText: /^Signed in$/ })).toBeVisible()
      const written = filesOf(profileDir)
      expect(guarded.authorization.issued).not.toEqual([])
      for (const token of guarded.authorization.issued) expect(written).not.toContain(token)

      // An expired token is renewed silently.
      guarded.authorization.expireAll()
      await page.getByRole('button', { name: 'Restart', exact: true }).click()
      await expect.poll(() => guarded.authorization.refreshes).toBe(1)
      await expectStatus(page, NAME, 'Ready')

      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await expectStatus(page, NAME, 'Stopped')
      await expect(page.getByText('Signed out. The server revoked the tokens.')).toBeVisible()
      expect(guarded.authorization.revoked).toHaveLength(2)
      await expect(page.getByRole('definition').filter({ hasText: /^Signed in$/ })).toBeHidden()
    },
  )
  test('rejects a response with another state or from another issuer', async ({
    app: { page },
  }) => {
    await setUpGuarded(page, guarded)
    guarded.authorization.faults = { state: 'of-somebody-else' }
    const tab = await openPage(page, guarded)
    await decide(tab, 'Allow')
    await expect(tab.getByRole('heading', { name: 'Not accepted' })).toBeVisible()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('doesn’t belong to this sign-in')
    guarded.authorization.faults = { iss: 'https://elsewhere.invalid' }
    await decide(await openPage(page, guarded), 'Allow')
    await expect(dialog).toContainText('came from another authorization server')
    expect(guarded.authorization.issued).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expectStatus(page, NAME, 'Sign-in needed')
  })
  test('opens no page outside an authorization server', async ({ app: { page } }) => {
    await setUpGuarded(page, guarded)
    const dialog = page.getByRole('dialog')
    for (const address of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'http://elsewhere.invalid/authorize',
    ]) {
      guarded.authorization.faults = { metadata: { authorization_endpoint: address } }
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(dialog.getByRole('button', { name: 'Try again' }), address).toBeVisible()
      await expect(dialog.getByRole('link'), address).toHaveCount(0)
      expect(page.context().pages(), address).toHaveLength(1)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toBeHidden()
    }
  })

  test('asks for a client ID if the server registers none', async ({ app: { page } }) => {
    guarded.authorization.faults = { metadata: { registration_endpoint: undefined } }
    guarded.authorization.addClient('typed-client')
    await setUpGuarded(page, guarded)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const redirect = dialog.getByRole('textbox', { name: 'Redirect URL' })
    await expect(redirect).toHaveValue(/^http:\/\/127\.0\.0\.1:\d+\/callback$/u)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog).toContainText('Enter the client ID.')
    await dialog.getByRole('textbox', { name: 'Client ID' }).fill('typed-client')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')
  })
})
