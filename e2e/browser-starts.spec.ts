import { expectStatus, install, logOf, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { descendantsOf, expect, test } from './fixtures/patchbay-test'

test.describe('B6: stop', () => {
  test('a server that ignores everything is ended immediately by a second Stop', async ({
    app: { page, pid },
  }) => {
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
  })
})
