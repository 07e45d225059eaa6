import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expectStatus, goTo, install, openServer, setUp } from './fixtures/drive'
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
