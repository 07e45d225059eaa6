import { contrastsIn, expectNoFaintness, expectNoFaults } from './fixtures/axe-faults'
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

// Nothing changes while a page is looked at.
test.use({ settings: { firstWaitMs: 600_000, longestWaitMs: 600_000 } })

test("every screen is free of axe's faults, in every theme", async ({ app: { page } }) => {
  const check = async (what: string): Promise<void> => {
    await expectNoFaults(page, what)
    await expectNoFaintness(page, what)
  }
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible()
  await check('empty home')
  await install(page, fixtureServer('noisy.mjs'), 'Noisy')
  await expectStatus(page, 'Noisy', 'Ready')
  await install(page, fixtureServer('exits.mjs'), 'Exits')
  await expectStatus(page, 'Exits', 'Retrying')
  await openServer(page, 'Exits')
  await check('server that backs off')
  for (const tab of ['Overview', 'Tools', 'Log', 'Messages', 'History', 'Settings'] as const) {
    await openServer(page, 'Noisy', tab)
    await check(tab)
  }
  for (const name of [
    'Home',
    'Servers',
    'Catalog',
    'Tools',
    'Apps',
    'Activity',
    'Settings',
  ] as const) {
    await goTo(page, name)
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await check(name)
  }
  await setUp(page, 'Filesystem')
  await page.getByRole('button', { name: 'Save for later' }).click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await check('form with a problem')
})

test(
  'the least window at 200 % zoom still leads from a form to a running server',
  { tag: '@gate' },
  async ({ app: { page } }) => {
    await page.setViewportSize({ width: 450, height: 300 })
    await paste(page, fixtureServer('plain.mjs', { environmentVariables: [{ name: 'MODE' }] }))
    await nameIt(page, 'Small')
    const field = page.getByLabel('Mode')
    await field.fill('a')
    expect((await field.boundingBox())?.width).toBeGreaterThan(200)
    // The consent stands below the command here, so it moves until the command has its new value.
    await expect(page.getByText('MODE=a', { exact: true })).toBeVisible()
    await approve(page)
    await expectStatus(page, 'Small', 'Ready')
    await openServer(page, 'Small', 'Log')
    await logOf(page, 'Small').getByText('Fixture server is up').click()
  },
)

test('the keyboard goes on from the page that a press opened', async ({ app: { page } }) => {
  await page.getByRole('link', { name: 'Open catalog' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Catalog', level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('a system that wants more contrast gets it, light and dark', async ({ app: { page } }) => {
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
