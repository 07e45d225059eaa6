import {
  approve,
  expectStatus,
  goTo,
  install,
  limitHandshake,
  logOf,
  nameIt,
  openServer,
  paste,
  setUp,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'

test.describe('B1, B9 and B10: servers that hang, end and flood delay no other', () => {
  test.use({ settings: { startsAgain: false } })

  test('real servers are ready while one hangs, and each failure explains itself', async ({
    app: { page, pid },
  }) => {
    const resting = descendantsOf(pid).length
    // One hangs for as long as the others may take to be fetched, one until its limit.
    for (const [name, seconds] of [
      ['Hangs', '300'],
      ['Hangs briefly', '5'],
    ] as const) {
      await paste(page, fixtureServer('silent.mjs'))
      await nameIt(page, name)
      await limitHandshake(page, seconds)
      await approve(page)
    }
    await install(page, fixtureServer('exits.mjs'), 'Exits')
    await install(page, fixtureServer('floods.mjs', { args: ['32'] }), 'Floods')
    for (const title of ['Memory', 'Sequential thinking']) {
      await setUp(page, title)
      await approve(page)
    }
    await expectStatus(page, 'Floods', 'Ready')
    await expectStatus(page, 'Memory', 'Ready')
    await expectStatus(page, 'Sequential thinking', 'Ready')
    await expectStatus(page, 'Hangs', 'Starting')

    // The window answers all the while.
    await goTo(page, 'Settings')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()

    await expectStatus(page, 'Exits', 'Error')
    await openServer(page, 'Exits')
    const main = page.getByRole('main')
    await expect(main).toContainText('The server exited with code 3 before it answered.')
    await expect(main).toContainText('Missing the one thing it needs')

    await expectStatus(page, 'Hangs briefly', 'Error')
    await openServer(page, 'Hangs briefly')
    await expect(main).toContainText('The server did not answer the handshake within 5 s.')
    await openServer(page, 'Hangs briefly', 'Log')
    await expect(logOf(page, 'Hangs briefly')).toContainText('Waiting for nothing')

    await openServer(page, 'Hangs')
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await expectStatus(page, 'Hangs', 'Stopped')
    for (const name of ['Floods', 'Memory', 'Sequential thinking']) {
      await openServer(page, name)
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await expectStatus(page, name, 'Stopped')
    }
    await expect.poll(() => descendantsOf(pid).length).toBe(resting)
  })

  test('more hanging servers than places to start delay no other', async ({ app: { page } }) => {
    await goTo(page, 'Settings')
    await page.getByLabel('Downloads at the same time').fill('1')
    await page.getByLabel('Processes started at the same time').fill('1')
    await page.getByLabel(/handshake/iu).fill('300')
    await page.keyboard.press('Tab')
    for (const name of ['Hangs 1', 'Hangs 2', 'Hangs 3']) {
      await install(page, fixtureServer('silent.mjs'), name)
    }
    await setUp(page, 'Memory')
    await approve(page)
    await expectStatus(page, 'Memory', 'Ready')
    for (const name of ['Hangs 1', 'Hangs 2', 'Hangs 3']) {
      await expectStatus(page, name, 'Starting')
    }
  })
})

test.describe('B6: stop', () => {
  test(
    'a server that ignores everything is ended at once by a second Stop',
    { tag: '@gate' },
    async ({ app: { page, pid } }) => {
      const resting = descendantsOf(pid).length
      await install(page, fixtureServer('stubborn.mjs'), 'Stubborn')
      await expectStatus(page, 'Stubborn', 'Starting')
      await openServer(page, 'Stubborn', 'Log')
      await expect(logOf(page, 'Stubborn')).toContainText('Not leaving')
      await page.getByRole('button', { name: 'Cancel' }).first().click()
      await expectStatus(page, 'Stubborn', 'Stopping')
      await page.getByRole('button', { name: 'End now' }).first().click()
      await expect(logOf(page, 'Stubborn')).toContainText('SIGTERM ignored')
      await expectStatus(page, 'Stubborn', 'Stopped')
      expect(descendantsOf(pid).length).toBe(resting)
    },
  )
})
