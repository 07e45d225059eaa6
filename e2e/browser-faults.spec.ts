import {
  approve,
  expectStatus,
  install,
  limitHandshake,
  logOf,
  nameIt,
  openServer,
  paste,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test.describe('B9 and B10: a failed start on screen', () => {
  test.use({ settings: { startsAgain: false } })

  test("names the phase that exceeded the form's time limit", async ({ app: { page } }) => {
    await paste(page, fixtureServer('silent.mjs'))
    await nameIt(page, 'Hangs')
    await limitHandshake(page, '2')
    await approve(page)
    await expectStatus(page, 'Hangs', 'Error')
    await openServer(page, 'Hangs')
    const main = page.getByRole('main')
    await expect(main).toContainText('The server did not initialize within 2 s.')
    await expect(main).toContainText('PHASE_TIMEOUT')
    const timeline = page.getByRole('list', { name: /^Phases of the newest start/u })
    await expect(timeline.getByRole('listitem')).toHaveText([
      /^Resolve/u,
      /^Install\s*not needed$/u,
      /^Spawn/u,
      /^Handshake\s*2 s, limit$/u,
      /^Discover\s*not reached$/u,
    ])
  })

  test('shows exit code 137 as SIGKILL, and can be restarted', async ({ app: { page } }) => {
    await install(page, fixtureServer('ends.mjs', { args: ['before', '137'] }), 'Killed')
    await expectStatus(page, 'Killed', 'Error')
    await openServer(page, 'Killed')
    const main = page.getByRole('main')
    await expect(main).toContainText('The server was ended by SIGKILL before it responded.')
    await expect(main).toContainText('SERVER_KILLED')
    await expect(page.getByRole('region', { name: 'Last lines of stderr' })).toHaveText(
      'Ends by 137',
    )
    await page.getByRole('button', { name: 'Restart' }).click()
    await openServer(page, 'Killed', 'Log')
    await expect(logOf(page, 'Killed')).toContainText('Start 2')
    await expectStatus(page, 'Killed', 'Error')
  })
})
