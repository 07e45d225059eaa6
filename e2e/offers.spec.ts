import { approve, expectStatus, goTo, install, openServer, setUp } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'

test.describe('C1: what a ready server offers', () => {
  test('its tools, resources, templates and prompts are listed with their descriptions', async ({
    app: { page },
  }) => {
    await setUp(page, 'Everything')
    await approve(page)
    await expectStatus(page, 'Everything', 'Ready')
    await openServer(page, 'Everything', 'Tools')
    const panel = page.getByRole('tabpanel')
    await expect(panel).toContainText('Echoes back the input string')
    await page.getByRole('tab', { name: /^Resources/u }).click()
    await expect(panel).toContainText('demo://resource/static/document/')
    await expect(panel).toContainText('demo://resource/dynamic/text/{resourceId}')
    await page.getByRole('tab', { name: /^Prompts/u }).click()
    await expect(panel).toContainText('simple-prompt')
  })
})

test.describe('D4: the switch of a server', () => {
  test('off ends it and keeps it from starting with the app, on starts it again', async ({
    openApp,
  }) => {
    const app = await openApp()
    const { page } = app
    await install(page, fixtureServer('plain.mjs'), 'Plain')
    await expectStatus(page, 'Plain', 'Ready')
    await goTo(page, 'Servers')
    await page.getByRole('switch', { name: 'Plain enabled' }).click()
    await expectStatus(page, 'Plain', 'Stopped')
    expect(descendantsOf(app.pid)).toEqual([])
    await app.close()

    const again = await openApp()
    await expectStatus(again.page, 'Plain', 'Stopped')
    await goTo(again.page, 'Servers')
    await again.page.getByRole('switch', { name: 'Plain enabled' }).click()
    await expectStatus(again.page, 'Plain', 'Ready')
  })
})
