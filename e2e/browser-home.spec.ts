import { expectNoFaults } from './fixtures/axe-faults'
import { expectStatus, goTo, install, installReady, openServer, pidOf } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

// A failed server isn't retried during the test.
test.use({ settings: { startTries: 1 } })

test.describe('D2: Home', () => {
  test(
    'lists what needs attention, next to the connection overview and the tool limit',
    { tag: '@gate' },
    async ({ app: { page } }) => {
      await installReady(page, fixtureServer('plain.mjs'), 'Plain')
      const odd = fixtureServer('answers.mjs', { args: ['notifications'] })
      await install(page, odd, 'Odd')
      await expectStatus(page, 'Odd', 'Degraded')
      await install(page, fixtureServer('exits.mjs'), 'Exits')
      await expectStatus(page, 'Exits', 'Paused')
      await goTo(page, 'Home')

      const needs = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
      await expect(needs.first()).toContainText('Exits')
      await expect(needs.filter({ hasText: 'Odd' })).toHaveCount(1)
      await expect(needs.filter({ hasText: 'Plain' })).toHaveCount(0)

      const path = page.getByRole('group', { name: 'Connection overview' })
      await expect(path).toContainText('3 servers')
      await expect(path).toContainText('No apps')
      // Each server is on the page once.
      const others = page.getByRole('table', { name: 'Other servers' })
      await expect(others.getByRole('row')).toHaveText([/^Server/u, /^Plain/u])
      await expect(page.getByRole('region', { name: 'Calls, 24 h' })).toContainText(
        'Tool calls of the last 24 hours appear here.',
      )
      await expect(page.getByRole('region', { name: 'Tool budget' })).toBeVisible()
      await expectNoFaults(page, 'home with needs')

      await needs.getByRole('link', { name: 'Exits', exact: true }).press('Enter')
      await expect(page.getByRole('heading', { name: 'Exits', level: 1 })).toBeVisible()
    },
  )

  test('shows an automatically repaired disconnect until it is dismissed', async ({
    app: { page },
  }) => {
    await installReady(page, fixtureServer('plain.mjs'), 'Plain')
    await goTo(page, 'Home')
    const errors = page.getByRole('region', { name: 'Recent errors' })
    const recovered = page.getByRole('region', { name: 'Recently recovered' })
    await expect(errors).toBeHidden()
    await expect(recovered).toBeHidden()
    await openServer(page, 'Plain')
    process.kill(await pidOf(page), 'SIGKILL')
    await goTo(page, 'Home')
    await expect(recovered.getByRole('listitem')).toContainText('Plain: The server')
    await expect(recovered.getByRole('listitem')).toContainText('Ready again')
    await expectStatus(page, 'Plain', 'Ready')
    await goTo(page, 'Home')
    await expect(errors).toBeHidden()
    await expectNoFaults(page, 'home with what recovered')
    await recovered.getByRole('button', { name: 'Dismiss' }).press('Enter')
    await expect(recovered).toBeHidden()
    await expect(errors.getByRole('listitem')).toContainText('Plain: The server')
    await errors.getByRole('link', { name: 'View log, Plain' }).press('Enter')
    await expect(page.getByRole('tab', { name: 'Logs' })).toHaveAttribute('aria-selected', 'true')
  })
})
