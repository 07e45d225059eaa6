import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expectStatus, goTo, openServer, openSettings } from './fixtures/drive'
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

test.describe('C10: signing in', () => {
  test(
    'starts the server by itself, leaves no token in the profile, and is ended by a sign-out',
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

      // What expired is made again without a word.
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

  test('is among what needs a person, calmly, and begins there', async ({ app: { page } }) => {
    await setUpGuarded(page, guarded)
    await goTo(page, 'Home')
    const needs = page.getByRole('region', { name: 'Needs attention' })
    await expect(needs).toContainText('requires sign-in')
    await needs.getByRole('button', { name: `Sign in, ${NAME}` }).click()
    await expect(page.getByRole('dialog', { name: `Sign in to ${NAME}` })).toBeVisible()
  })

  test('that is denied says so, and can be tried again', async ({ app: { page } }) => {
    await setUpGuarded(page, guarded)
    await decide(await openPage(page, guarded), 'Deny')
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(
      'denied on the authorization page. Server message: Not today.',
    )
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')
  })

  test('refuses an answer with another state, and one of another issuer', async ({
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

  test('is needed again once the authorization server has forgotten it', async ({
    app: { page },
  }) => {
    await setUpGuarded(page, guarded)
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')
    guarded.authorization.forgetAll()
    await page.getByRole('button', { name: 'Restart', exact: true }).click()
    await expectStatus(page, NAME, 'Sign-in needed')
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')
  })

  test('is one in two windows: begun here, cancelled or ended there', async ({
    openServe,
    openWindow,
  }) => {
    const served = await openServe()
    const first = await openWindow(served.link)
    await setUpGuarded(first, guarded)
    const second = await openWindow(await served.anotherLink())
    await openServer(second, NAME)

    await openPage(first, guarded)
    await expect(second.getByText(/Waiting for 127/u)).toBeVisible()
    await second.getByRole('button', { name: 'Cancel sign-in' }).click()
    await expect(first.getByRole('dialog')).toBeHidden()

    const tab = await openPage(first, guarded)
    await second.getByRole('button', { name: 'Continue' }).click()
    await expect(second.getByRole('dialog')).toContainText('in your browser')
    // The client of before is used again.
    expect(guarded.authorization.registered).toHaveLength(1)
    await decide(tab, 'Allow')
    for (const page of [first, second]) {
      await expectStatus(page, NAME, 'Ready')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
  })

  test('opens no page that is none of an authorization server', async ({ app: { page } }) => {
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

  test('asks for a client ID where the server registers none', async ({ app: { page } }) => {
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

  test('uses the client metadata document that is set, and tells where one can be typed', async ({
    app: { page },
  }) => {
    const DOCUMENT = 'https://patchbay.test/client.json'
    guarded.authorization.faults = {
      metadata: { registration_endpoint: undefined, client_id_metadata_document_supported: true },
    }
    guarded.authorization.addClient(DOCUMENT)
    await setUpGuarded(page, guarded)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('the URL of a client metadata document')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await openSettings(page, 'Advanced')
    const setting = page.getByRole('textbox', { name: 'Client metadata document' })
    await setting.fill('http://patchbay.test/client.json')
    await setting.press('Enter')
    await expect(page.getByText('Enter an https:// address with a path')).toBeVisible()
    await setting.fill('https://PATCHBAY.test/client.json')
    await setting.press('Enter')
    await expect(setting).toHaveValue(DOCUMENT)

    await openServer(page, NAME)
    const tab = await openPage(page, guarded)
    expect(new URL(tab.url()).searchParams.get('client_id')).toBe(DOCUMENT)
    await decide(tab, 'Allow')
    await expectStatus(page, NAME, 'Ready')
  })
})
