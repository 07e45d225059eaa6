import { openAgent } from './fixtures/apps-page'
import { faultsOf } from './fixtures/axe-faults'
import { installReady, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'

test.describe('B12: a server with state', () => {
  test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

  test('suggests one process per app, and shows and stops them', async ({
    app: { page },
    settings,
  }) => {
    await installReady(page, fixtureServer('holds-page.mjs'), 'Browser')
    const client = await openAgent(page, settings.gatewayPort)
    await openServer(page, 'Browser', 'Settings')
    await expect(page.getByText('All apps use one process and see its state.')).toBeVisible()
    await expect(page.getByText(/^Browser seems to keep state/u)).toBeVisible()
    await page.getByRole('radio', { name: 'Per app', exact: true }).click()
    await expect(page.getByText(/^Each app gets its own process/u)).toBeVisible()
    await expect(page.getByText(/^Browser seems to keep state/u)).toHaveCount(0)
    const instances = page.getByRole('region', { name: 'Processes of apps' })
    await expect(instances).toContainText('A process appears here')

    await client.callTool({ name: 'Browser__go', arguments: { to: 'https://example.com' } })
    await expect(instances.getByRole('listitem')).toHaveText(/Codex #1.*all sessions, pid \d+/u)
    expect(await faultsOf(page, 'instances')).toEqual([])
    await page.getByRole('button', { name: 'Stop Codex #1' }).press('Enter')
    await expect(instances.getByRole('listitem')).toHaveCount(0)
    await client.close()
  })
})
