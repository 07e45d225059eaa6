import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import {
  approve,
  expectStatus,
  goTo,
  install,
  openServer,
  openSettings,
  setUp,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { pythonServer } from './fixtures/python-server'
import { startSecretService } from './fixtures/secret-service'
import { shoot, WIDE } from './fixtures/shoot'

/** Needs uvx, which the machine that takes the pictures must not have. */
const PYTHON_SERVER = pythonServer()

// What fails stands still while it is looked at.
test.use({ settings: { firstWaitMs: 600_000, longestWaitMs: 600_000, startTries: 1 } })

test('every screen', async ({ openApp }) => {
  const service = await startSecretService()
  const keychain = 'unavailable' in service ? undefined : service
  const { page } = await openApp({
    env: { ...keychain?.env, PATCHBAY_KEYCHAIN_SERVICE: 'Patchbay screenshots' },
  })
  await page.setViewportSize(WIDE)
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  await shoot(page, 'home-empty')

  const folder = join(homedir(), 'notes')
  mkdirSync(folder, { recursive: true })
  await setUp(page, 'Filesystem')
  await page.getByRole('button', { name: 'Save for later' }).click()
  await page.getByRole('textbox', { name: 'Allowed folders 1' }).focus()
  await shoot(page, 'setup-problem')
  await page.getByRole('textbox', { name: 'Allowed folders 1' }).fill(folder)
  await page.getByRole('button', { name: 'Add folder' }).click()
  await page.getByRole('textbox', { name: 'Allowed folders 2' }).fill(homedir())
  await shoot(page, 'setup')
  await approve(page)
  for (const title of ['Memory', 'Everything', 'Sequential thinking', 'Context7']) {
    await setUp(page, title)
    await approve(page)
  }
  await install(page, fixtureServer('exits.mjs'), 'Ends at once')
  await install(page, fixtureServer('silent.mjs', { title: 'Slow starter' }), 'Slow starter')
  for (const name of ['Filesystem', 'Memory', 'Everything', 'Sequential thinking', 'Context7']) {
    await expectStatus(page, name, 'Ready')
  }
  await install(page, fixtureServer('brief.mjs', { args: ['500'] }), 'Short of breath')
  await expectStatus(page, 'Ends at once', 'Paused')
  await expectStatus(page, 'Short of breath', 'Retrying')
  await goTo(page, 'Home')
  await shoot(page, 'home')
  await openServer(page, 'Slow starter')
  await shoot(page, 'server-starting')
  await openServer(page, 'Ends at once')
  await shoot(page, 'server-paused')
  await openServer(page, 'Short of breath')
  await shoot(page, 'server-backing-off')
  await openServer(page, 'Everything', 'Overview')
  await shoot(page, 'server')
  await openServer(page, 'Everything', 'Log')
  await shoot(page, 'log')
  await install(page, fixtureServer('colours.mjs', { title: 'Colours' }), 'Colours')
  await expectStatus(page, 'Colours', 'Ready')
  await openServer(page, 'Colours', 'Log')
  await shoot(page, 'log-colours')
  await install(
    page,
    fixtureServer('answers.mjs', { title: 'Odd', args: ['notifications'] }),
    'Odd',
  )
  await expectStatus(page, 'Odd', 'Degraded')
  await openServer(page, 'Odd', 'Overview')
  await shoot(page, 'server-degraded')
  await install(page, PYTHON_SERVER, 'Python notes')
  await expectStatus(page, 'Python notes', 'Error')
  await openServer(page, 'Python notes', 'Overview')
  await shoot(page, 'server-runner-missing')
  await goTo(page, 'Servers')
  await shoot(page, 'servers')
  await goTo(page, 'Catalog')
  await shoot(page, 'catalog')
  await setUp(page, 'Brave Search')
  await shoot(page, 'setup-secret')
  await goTo(page, 'Settings')
  await shoot(page, 'settings')
  for (const section of ['Servers', 'Apps and gateway', 'Network', 'Advanced'] as const) {
    await openSettings(page, section)
    await shoot(page, `settings-${section.split(' ')[0]?.toLowerCase() ?? ''}`)
  }
  await keychain?.stop()
})
