import { changingServer } from './fixtures/changing-server'
import { expectStatus, goTo, installReady, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'

test.describe("D4: a server's switch", () => {
  test('turned off it ends the server and keeps it from starting with the app; turned on it starts it again', async ({
    openApp,
  }) => {
    const app = await openApp()
    const { page } = app
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await goTo(page, 'Servers')
    await page.getByRole('switch', { name: 'Plain enabled' }).click()
    await expectStatus(page, 'Plain', 'Stopped')
    expect(descendantsOf(app.pid)).toEqual([])
    await openServer(page, 'Plain', 'Tools')
    await expect(page.getByText('Agents can’t see this server’s tools.')).toBeVisible()
    await app.close()

    const again = await openApp()
    await expectStatus(again.page, 'Plain', 'Stopped')
    await goTo(again.page, 'Servers')
    await again.page.getByRole('switch', { name: 'Plain enabled' }).click()
    await expectStatus(again.page, 'Plain', 'Ready')
  })
})

test.describe('C7: the tools available to agents', () => {
  test('are selected one by one or by group, undone, and kept over a restart', async ({
    openApp,
    profileDir,
  }) => {
    const readOnly = { annotations: { readOnlyHint: true } }
    const [list, read, save] = [
      { name: 'list', ...readOnly },
      { name: 'read', ...readOnly },
      { name: 'save' },
    ]
    const { server, offer } = changingServer(`${profileDir}/fixture`, [list, read, save])
    const app = await openApp()
    const { page } = app
    await installReady(page, server, 'Notes')
    await openServer(page, 'Notes', 'Tools')
    const panel = page.getByRole('tabpanel')
    await expect(panel).toContainText('3 of 3 tools available to agents')
    await page.getByRole('button', { name: 'Turn off group' }).first().click()
    await expect(panel).toContainText('1 of 3 tools available to agents')
    await expect(page.getByRole('radio', { name: 'Selected' })).toBeChecked()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(panel).toContainText('3 of 3 tools available to agents')
    await expect(page.getByRole('radio', { name: 'All' })).toBeChecked()
    await page.getByRole('radio', { name: 'None' }).click()
    await expect(panel).toContainText('0 of 3 tools available to agents')
    await page.getByRole('switch', { name: 'Show save to agents' }).click()
    await page.getByRole('switch', { name: 'Show read to agents' }).click()
    await expect(panel).toContainText('2 of 3 tools available to agents')
    await app.close()

    offer([list, read])
    const again = await openApp()
    await expectStatus(again.page, 'Notes', 'Ready')
    await openServer(again.page, 'Notes', 'Tools')
    const kept = again.page.getByRole('tabpanel')
    await expect(kept).toContainText('1 of 2 tools available to agents')
    await expect(kept).toContainText('1 selected tool is no longer listed.')
    await expect(kept).toContainText('The server no longer lists save.')
    await again.page.getByRole('button', { name: 'Remove from selection' }).click()
    await expect(kept).not.toContainText('1 selected tool is no longer listed.')
    await expect(kept).toContainText('1 of 2 tools available to agents')
  })
})
