import { openAgent } from './fixtures/apps-page'
import { faultsOf } from './fixtures/axe-faults'
import { goTo, installReady } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'

test.describe('B3: long calls', () => {
  test.use({ settings: async ({}, use) => use({ gatewayPort: await freePort() }) })

  test('are shown in Activity with their elapsed time, and canceled there', async ({
    app: { page },
    settings,
  }) => {
    await installReady(page, fixtureServer('rich.mjs', { args: ['one'] }), 'One')
    const client = await openAgent(page, settings.gatewayPort)
    await client.callTool({ name: 'One__echo', arguments: { value: 1 } })
    const slow = { name: 'One__echo', arguments: { ms: 600_000 } }
    const failed = expect(client.callTool(slow)).rejects.toThrow('The user canceled it in Patchbay')
    await goTo(page, 'Activity')
    const running = page.getByRole('region', { name: /^Running/u })
    await expect(running.getByRole('listitem')).toContainText(['echo'])
    expect(await faultsOf(page, 'running calls')).toEqual([])
    await page.getByRole('button', { name: 'Cancel echo of Codex' }).press('Enter')
    await failed
    await expect(running).toHaveCount(0)
    await expect(page.getByRole('table').getByText('Canceled')).toBeVisible()
    await client.close()
  })
})
