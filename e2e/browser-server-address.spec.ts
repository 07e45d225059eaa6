import { approve, expectStatus, install, nameIt, openEditor, openServer } from './fixtures/drive'
import { OddProvider } from './fixtures/odd-provider'
import { expect, test } from './fixtures/patchbay-test'
import { RemoteServer } from './fixtures/remote-server'

const NAME = 'Moved'

test.describe("F8: a server's address", () => {
  test('from a redirect is filled in with one click, reviewed, and used', async ({
    app: { page },
  }) => {
    await using remote = await RemoteServer.open()
    await using old = await RemoteServer.open()
    old.intercept = (_request, response) => {
      response.writeHead(307, { location: remote.url.replace('/mcp', '/mcp?x=1') }).end()
      return true
    }
    await openEditor(page)
    await nameIt(page, NAME)
    await page.getByRole('radio', { name: 'Address' }).click()
    const address = page.getByRole('textbox', { name: 'Address', exact: true })
    await address.fill(old.url)
    await approve(page)
    await expectStatus(page, NAME, 'Error')
    await openServer(page, NAME)
    await page.getByRole('link', { name: 'Use this address' }).click()
    await expect(address).toHaveText(remote.url)
    await expect(address).toBeFocused()
    await approve(page)
    await expectStatus(page, NAME, 'Ready')
  })

  test('from sign-in metadata is offered, for a catalog entry as a custom server', async ({
    app: { page },
  }) => {
    await using provider = await OddProvider.open()
    const named = provider.url.replace('127.0.0.1', 'localhost')
    provider.name(provider.origin, named)
    await install(page, provider.entry, NAME)
    await expectStatus(page, NAME, 'Sign-in needed')
    await openServer(page, NAME)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Sign in to ${NAME}` })
    await expect(dialog).toContainText(named)
    await dialog.getByRole('button', { name: 'Use this address' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('link', { name: 'Add server manually' }).click()
    await expect(page.getByRole('textbox', { name: 'Address', exact: true })).toHaveText(named)
  })
})
