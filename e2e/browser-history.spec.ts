import {
  approve,
  configure,
  expectStatus,
  installReady,
  nameIt,
  openServer,
  paste,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

const SECRET = 'nobody-may-read-this'

test.describe("D3: a server's page", () => {
  test('shows its history, newest first, even after a restart of the app', async ({ openApp }) => {
    const app = await openApp()
    const { page } = app
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await openServer(page, 'Plain', 'History')
    const events = page.getByRole('list', { name: 'History of Plain, newest first' })
    const titles = events.getByRole('listitem')
    await expect(titles.first()).toContainText(/Ready after .*handshake/u)
    await expect(titles.last()).toContainText('Installed')
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter')
    await expect(titles.first()).toContainText('Stopped by you')
    await configure(page, 'Plain')
    await nameIt(page, 'Simple')
    await approve(page)
    await openServer(page, 'Simple', 'History')
    const renamed = page.getByRole('list', { name: 'History of Simple, newest first' })
    await expect(renamed.getByText('Configuration changed')).toBeVisible()

    await app.close()
    const again = await openApp()
    await openServer(again.page, 'Simple', 'History')
    const kept = again.page.getByRole('list', { name: 'History of Simple, newest first' })
    await expect(kept.getByText('Installed', { exact: true })).toHaveCount(1)
    await expect(kept.getByText('Configuration changed')).toHaveCount(1)
  })

  test('shows its launch options with masked secrets, and leads to the form', async ({
    app: { page },
  }) => {
    const variables = [
      { name: 'MODE', isRequired: true },
      { name: 'API_KEY', isSecret: true, isRequired: true },
    ]
    await paste(page, fixtureServer('plain.mjs', { environmentVariables: variables }))
    await nameIt(page, 'Keyed')
    await page.getByLabel('Mode').fill('fast')
    await page
      .getByLabel(/API.?key/iu)
      .first()
      .fill(SECRET)
    await approve(page)
    await expectStatus(page, 'Keyed', 'Ready')
    await openServer(page, 'Keyed', 'Settings')
    const configuration = page.getByRole('region', { name: 'Configuration' })
    await expect(configuration).toContainText('You approved this configuration.')
    await expect(configuration.getByRole('list', { name: 'Command' })).toContainText('plain.mjs')
    const environment = configuration.getByRole('list', { name: 'Environment' })
    await expect(environment).toContainText('MODE=fast')
    await expect(environment).toContainText('API_KEY=••••••••')
    expect(await page.content()).not.toContain(SECRET)
    await configuration.getByRole('link', { name: 'Edit' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Configure Keyed' })).toBeVisible()
  })
})
