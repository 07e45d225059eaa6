import { contrastsIn } from './fixtures/axe-faults'
import { approve, expectStatus, logOf, nameIt, openServer, paste } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test('the smallest window at 200% zoom leads from a form to a running server', async ({
  app: { page },
}) => {
  await page.setViewportSize({ width: 450, height: 300 })
  await paste(page, fixtureServer('plain.mjs', { environmentVariables: [{ name: 'MODE' }] }))
  await nameIt(page, 'Small')
  const field = page.getByLabel('Mode')
  await field.fill('a')
  expect((await field.boundingBox())?.width).toBeGreaterThan(200)
  // The consent is below the command here, so it moves until the command has its new value.
  await expect(page.getByText('MODE=a', { exact: true })).toBeVisible()
  await approve(page)
  await expectStatus(page, 'Small', 'Ready')
  await openServer(page, 'Small', 'Log')
  await logOf(page, 'Small').getByText('Fixture server is up').click()
})

test('keyboard focus continues on the page that a key opened', async ({ app: { page } }) => {
  await page.getByRole('link', { name: 'Open catalog' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Catalog', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('high contrast follows the system, light and dark', async ({ app: { page } }) => {
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  for (const [colorScheme, theme] of [
    ['light', 'contrast-light'],
    ['dark', 'contrast'],
  ] as const) {
    await page.emulateMedia({ colorScheme, contrast: 'more', reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    const { measured, faint } = await contrastsIn(page, 'body', true)
    expect(faint, theme).toEqual([])
    expect(measured).toBeGreaterThan(10)
  }
  await page.emulateMedia({ contrast: 'no-preference' })
  await expect(page.locator('html')).not.toHaveAttribute('data-theme')
})
