import { expectStatus, goTo, installReady, openServer } from './fixtures/drive'
import { OddProvider } from './fixtures/odd-provider'
import { expect, test } from './fixtures/patchbay-test'
import { callTool } from './fixtures/tool-run-page'

const NAME = 'Linear'

let provider: OddProvider
test.beforeEach(async () => {
  provider = await OddProvider.open()
  provider.guards = 'calls'
})
test.afterEach(async () => {
  await provider[Symbol.asyncDispose]()
})

test.describe('F4: a server that requires a sign-in only for calls', () => {
  test('offers it on Home and on its page after a rejected call, and stays Ready', async ({
    app: { page },
  }) => {
    await installReady(page, provider.entry, NAME)
    await callTool(page, NAME, 'read_file')

    await goTo(page, 'Home')
    const needs = page.getByRole('region', { name: 'Needs attention' })
    await expect(needs).toContainText('requires sign-in')
    await expect(needs.getByRole('button', { name: `Sign in, ${NAME}` })).toBeVisible()
    await expectStatus(page, NAME, 'Ready')

    await openServer(page, NAME)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Sign in to ${NAME}` })
    await dialog.getByRole('link', { name: /^Open / }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeHidden()
    await goTo(page, 'Home')
    await expect(page.getByText('requires sign-in')).toHaveCount(0)
  })
})
