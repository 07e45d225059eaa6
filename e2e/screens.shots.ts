import { freePort } from './fixtures/free-port'
import { expect, test } from './fixtures/patchbay-test'
import { eachRequest, eachState, leave } from './fixtures/screen-states'
import { PLAIN_SCREENS, screensOf } from './fixtures/screens'
import { startSecretService } from './fixtures/secret-service'
import { shoot } from './fixtures/shoot'
import { Stage } from './fixtures/stage'

// The believable setup next to it has the default port; without a gateway, its first app would list no tools.
test.use({ settings: async ({}, use) => use({ setup: 'auto', gatewayPort: await freePort() }) })

test('every screen with data', async ({ openApp, profileDir }) => {
  test.setTimeout(900_000)
  const keychain = await startSecretService()
  test.skip('unavailable' in keychain, 'Without a keychain no app can connect by its file.')
  if ('unavailable' in keychain) return
  await using stage = await Stage.open(openApp, profileDir, keychain)
  const { page } = stage
  for (const { id, reach } of screensOf(stage)) {
    await leave(page)
    await reach(page)
    await shoot(page, id)
  }
  await leave(page)
  await eachRequest(page, (id) => shoot(page, id))
  await page.unrouteAll()
  await eachState(page, PLAIN_SCREENS, (id) => shoot(page, id))
  await keychain.stop()
})

test('every empty screen', async ({ app: { page } }) => {
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  for (const { id, reach } of PLAIN_SCREENS) {
    await reach(page)
    await shoot(page, id)
  }
})
