import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import {
  approve,
  expectStatus,
  goTo,
  install,
  logOf,
  nameIt,
  openServer,
  paste,
  setUp,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
  )
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen is free of axe's faults, ${colorScheme}`, async ({ app: { page } }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect.soft(await faultsOf(page), 'empty home').toEqual([])
    await install(page, fixtureServer('noisy.mjs'), 'Noisy')
    await expectStatus(page, 'Noisy', 'Degraded')
    await install(page, fixtureServer('exits.mjs'), 'Exits')
    await expectStatus(page, 'Exits', 'Error')
    expect.soft(await faultsOf(page), 'server in error').toEqual([])
    for (const tab of ['Overview', 'Tools', 'Log'] as const) {
      await openServer(page, 'Noisy', tab)
      expect.soft(await faultsOf(page), tab).toEqual([])
    }
    for (const name of ['Home', 'Servers', 'Catalog', 'Settings'] as const) {
      await goTo(page, name)
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
      expect.soft(await faultsOf(page), name).toEqual([])
    }
    await setUp(page, 'Filesystem')
    await page.getByRole('button', { name: 'Save for later' }).click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    expect.soft(await faultsOf(page), 'form with a problem').toEqual([])
  })
}

test('the least window at 200 % zoom still leads from a form to a running server', async ({
  app: { page },
}) => {
  await page.setViewportSize({ width: 450, height: 300 })
  await paste(page, fixtureServer('plain.mjs', { environmentVariables: [{ name: 'MODE' }] }))
  await nameIt(page, 'Small')
  const field = page.getByLabel('Mode')
  await field.fill('a')
  expect((await field.boundingBox())?.width).toBeGreaterThan(200)
  await approve(page)
  await expectStatus(page, 'Small', 'Ready')
  await openServer(page, 'Small', 'Log')
  await logOf(page, 'Small').getByText('Fixture server is up').click()
})

test('the keyboard goes on from the page that a press opened', async ({ app: { page } }) => {
  await page.getByRole('link', { name: 'Open the catalog' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Catalog', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})
