import { expectStatus, goTo, install, openServer, paste } from './fixtures/drive'
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
  await expectStatus(page, 'Brave search', 'Paused')
  await openServer(page, 'Brave search')
  await expect(page.getByRole('link', { name: 'Fill in BRAVE_API_KEY' })).toBeVisible()
  await shoot(page, 'server-cause')
  await paste(page, STEPS)
  await goTo(page, 'Catalog')
  await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('Local models')
  await page.getByRole('button', { name: 'Local models', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'After installing' })).toBeVisible()
  await shoot(page, 'catalog-steps')
})
