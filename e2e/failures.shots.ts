import { expectStatus, goTo, install, openServer, paste, pidOf } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'
import { shoot, WIDE } from './fixtures/shoot'

const KEY = {
  ...fixtureServer('says.mjs', {
    title: 'Brave search',
    args: ['Error: BRAVE_API_KEY environment variable is required'],
    environmentVariables: [{ name: 'BRAVE_API_KEY', isSecret: true }],
  }),
}
const STEPS = {
  ...fixtureServer('plain.mjs', { title: 'Local models' }),
}
const [pkg] = (STEPS as { packages: object[] }).packages
Object.assign(pkg ?? {}, {
  postInstallInstructions: [
    {
      description: 'Fetch a model once. It takes about 4 GB.',
      command: 'ollama pull llama3.2\nollama serve',
      documentation: 'https://ollama.example/setup',
    },
    { description: 'Give the app access to your calendar.', optional: true },
  ],
})

test('a failure whose cause is known, and what a publisher asks for', async ({ app: { page } }) => {
  await page.setViewportSize(WIDE)
  await install(page, KEY, 'Brave search')
  await expectStatus(page, 'Brave search', 'Error')
  await openServer(page, 'Brave search')
  await expect(page.getByRole('link', { name: 'Fill in BRAVE_API_KEY' })).toBeVisible()
  await shoot(page, 'server-cause')
  await paste(page, STEPS)
  await goTo(page, 'Catalog')
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill('Local models')
  await page.getByRole('button', { name: 'Local models', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'After installing' })).toBeVisible()
  await shoot(page, 'catalog-steps')
})

const SETTLED = { startTries: 1, firstWaitMs: 100 }

test.describe('what mends itself, and what one click mends', () => {
  test.use({ settings: SETTLED })

  test('a broken copy, and a server that recovered', async ({ app: { page } }) => {
    await page.setViewportSize(WIDE)
    const broken =
      "Error: Cannot find module '/home/mara/.npm/_npx/be9bcbed6978f068/node_modules/zod/index.js'"
    await install(page, fixtureServer('says.mjs', { title: 'Memory', args: [broken] }), 'Memory')
    await expectStatus(page, 'Memory', 'Paused')
    await openServer(page, 'Memory')
    await expect(page.getByRole('button', { name: 'Repair and restart' })).toBeVisible()
    await shoot(page, 'server-repair')
    await install(page, fixtureServer('plain.mjs', { title: 'Notes' }), 'Notes')
    await expectStatus(page, 'Notes', 'Ready')
    await openServer(page, 'Notes')
    process.kill(await pidOf(page), 'SIGKILL')
    await goTo(page, 'Home')
    await expect(page.getByRole('region', { name: /^Recently recovered/u })).toBeVisible()
    await shoot(page, 'home-recovered')
  })
})
