import { faultsOf } from './fixtures/axe-faults'
import { goTo, installReady, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { callButton } from './fixtures/tool-run-page'

/** The code of the tool run page, loaded when it is first opened. */
const TOOL_RUN_CODE = /\/tool-run-page-[^/]+\.js$/u

test('a page that fails says why, leaves the rest intact, and renders again', async ({
  app: { page },
}) => {
  await installReady(page, fixtureServer('talks.mjs'), 'Talks')
  await page.route(TOOL_RUN_CODE, (route) => route.abort())
  // The code may be loaded already, because pages prefetch it when idle.
  await page.reload()
  await openServer(page, 'Talks', 'Tools')
  await page.getByRole('link', { name: 'Try it: echo', exact: true }).press('Enter')

  const failure = page.getByRole('alert')
  await expect(failure.getByRole('heading', { name: 'Can’t show this page' })).toBeVisible()
  await expect(failure).toContainText('tool-run-page-')
  await expect(page.getByRole('main')).toBeFocused()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await faultsOf(page, colorScheme)).toEqual([])
  }

  // The sidebar leads to other pages and back.
  await goTo(page, 'Settings')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await expect(failure).toHaveCount(0)
  await page.goBack()
  await expect(failure).toBeVisible()
  await failure.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(failure).toBeVisible()

  await page.unroute(TOOL_RUN_CODE)
  await failure.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'echo', level: 1, exact: true })).toBeVisible()
  await expect(callButton(page)).toBeVisible()
  await expect(failure).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})
