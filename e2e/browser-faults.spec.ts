import { expectStatus, goTo, install, logOf, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'

test.describe('B4, B5, B7 and B10: what a misbehaving server shows on the screen', () => {
  test.use({ settings: { startsAgain: false } })

  test('one that hangs at tools/list says which step took too long', async ({
    app: { page, pid },
  }) => {
    const resting = descendantsOf(pid).length
    await install(page, fixtureServer('hangs.mjs', { args: ['tools/list'] }), 'Hangs')
    await expectStatus(page, 'Hangs', 'Starting')
    await openServer(page, 'Hangs')
    const timeline = page.getByRole('list', { name: /^Phases of the newest start/u })
    await expect(timeline.getByRole('listitem').filter({ hasText: 'Discover' })).toContainText(
      /\d+ s of 30 s/u,
    )

    await expectStatus(page, 'Hangs', 'Error')
    const main = page.getByRole('main')
    await expect(main).toContainText('The server did not list its tools within 30 s.')
    await expect(main).toContainText('PHASE_TIMEOUT')
    await expect(timeline.getByRole('listitem')).toHaveText([
      /^Resolve/u,
      /^Install\s*not needed$/u,
      /^Spawn/u,
      /^Handshake/u,
      /^Discover\s*30 s, limit$/u,
    ])
    expect(descendantsOf(pid).length).toBe(resting)
  })

  test(
    'one that exits with 137 is told as ended by SIGKILL, and can be restarted',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      await install(page, fixtureServer('ends.mjs', { args: ['before', '137'] }), 'Killed')
      await expectStatus(page, 'Killed', 'Error')
      await openServer(page, 'Killed')
      const main = page.getByRole('main')
      await expect(main).toContainText('The server was ended by SIGKILL before it answered.')
      await expect(main).toContainText('SERVER_KILLED')
      await expect(page.getByRole('region', { name: 'Last lines of stderr' })).toHaveText(
        'Ends by 137',
      )
      await page.getByRole('button', { name: 'Restart' }).click()
      await openServer(page, 'Killed', 'Log')
      await expect(logOf(page, 'Killed')).toContainText('Start 2')
      await expectStatus(page, 'Killed', 'Error')
    },
  )

  test('one that floods stdout works, with the count of lines as a warning', async ({
    app: { page },
  }) => {
    await install(page, fixtureServer('noise.mjs', { args: ['20000'] }), 'Noisy')
    await expectStatus(page, 'Noisy', 'Degraded')
    await openServer(page, 'Noisy')
    await expect(page.getByRole('main')).toContainText(
      /Working\. 20,?000 lines on stdout were no protocol messages/u,
    )
    await openServer(page, 'Noisy', 'Log')
    await expect(logOf(page, 'Noisy')).toContainText('noise noise')
    await goTo(page, 'Servers')
    await expect(page.getByRole('main')).toContainText(/20,?000 lines on stdout/u)
  })

  test('one that closes stdout but lives is ended, and the screen says why', async ({
    app: { page, pid },
  }) => {
    const resting = descendantsOf(pid).length
    await install(page, fixtureServer('mute.mjs', { args: ['later'] }), 'Mute')
    await expectStatus(page, 'Mute', 'Error')
    await openServer(page, 'Mute')
    const main = page.getByRole('main')
    await expect(main).toContainText('The server closed its end of the line while it was in use.')
    await expect(main).toContainText('SERVER_EXITED')
    await expect.poll(() => descendantsOf(pid).length).toBe(resting)
  })
})
