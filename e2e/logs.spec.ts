import { expectStatus, install, logOf, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test.describe('D4: the log of a server', () => {
  test('follows what is written, stops when scrolled up, and comes back', async ({
    app: { page },
  }) => {
    await install(page, fixtureServer('chatty.mjs'), 'Chatty')
    await expectStatus(page, 'Chatty', 'Ready')
    await openServer(page, 'Chatty', 'Log')
    const log = logOf(page, 'Chatty')
    await expect(log).toContainText('line 100')
    await expect(log).toContainText('line 200')

    await log.hover()
    await page.mouse.wheel(0, -1_500)
    const back = page.getByRole('button', { name: /new line/u })
    await expect(back).toBeVisible()
    const held = await log.textContent()
    await expect(back).toContainText(/[1-9]\d/u)
    // Only what is in view is drawn, so standing still means the same lines.
    expect((await log.textContent())?.slice(0, 200)).toBe(held?.slice(0, 200))

    await back.click()
    await expect(back).toBeHidden()
    await expect(log).toContainText('line 500')
  })

  test('marks what came on stdout and was no message, and can be searched', async ({
    app: { page },
  }) => {
    await install(page, fixtureServer('noisy.mjs'), 'Noisy')
    await expectStatus(page, 'Noisy', 'Degraded')
    await openServer(page, 'Noisy', 'Log')
    const log = logOf(page, 'Noisy')
    await expect(log).toContainText('Welcome to the noisy server')
    await expect(log.getByText('stdout, not a message').first()).toBeVisible()
    await expect(log.getByText('Start 1', { exact: true })).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search the log' }).fill('welcome')
    await expect(page.getByText(/1 of 1/u)).toBeVisible()
  })
})
