import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  expectStatus,
  goTo,
  install,
  openPaste,
  openServer,
  openSettings,
  paste,
} from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { startLocalRegistry } from './fixtures/local-registry'
import { tellingBundle } from './fixtures/make-bundle'
import { expect, test } from './fixtures/patchbay-test'
import { shoot, WIDE } from './fixtures/shoot'

const stdio = { type: 'stdio' }
const NOTES = {
  name: 'test.fixture/notes',
  title: 'Notes',
  description: 'Searches notes and everything that is written in them.',
  version: '2.1.0',
  packages: [
    {
      registryType: 'npm',
      identifier: '@example/notes',
      version: '2.1.0',
      transport: stdio,
      packageArguments: [
        { type: 'named', name: '--folder', isRequired: true, format: 'filepath' },
        { type: 'named', name: '--api-key', isSecret: true, description: 'Key of the service' },
        { type: 'named', name: '--region', choices: ['eu', 'us'], default: 'eu' },
      ],
      environmentVariables: [
        { name: 'API_KEY', isSecret: true, description: 'The same key, for the environment' },
        ...Array.from({ length: 26 }, (_, index) => ({
          name: `NOTES_LIMIT_${index + 1}`,
          description: 'How much of one thing is read at a time.',
          format: 'number',
          default: String(index * 10),
        })),
      ],
    },
    { registryType: 'oci', identifier: 'registry.example/notes:2.1.0', transport: stdio },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{tenant}.notes.example/mcp',
      variables: { tenant: { description: 'Your workspace', isRequired: true } },
      headers: [{ name: 'Authorization', value: 'Bearer {api_key}', isRequired: true }],
    },
  ],
}
const CONFIGURATION = `{
  // From another app
  "mcpServers": {
    "github": { "command": "npx", "args": ["-y", "server-github"], "env": { "GITHUB_TOKEN": "ghp_4f1d9a7c55e2b84f1d9a7c55e2b84f1d9a7c" } },
    "search": { "url": "https://search.example/mcp", "headers": { "Authorization": "Bearer sk-search-4f1d9a7c55e2b8" } },
    "broken": { "command": "npx", "args": "not a list" },
  },
}`
const level = { type: 'named', name: '--level', description: 'How much it says', default: 'all' }
const gone = { type: 'named', name: '--gone', description: 'Not for long', default: 'soon' }
const OLD = fixtureServer('plain.mjs', { title: 'Plain', packageArguments: [level, gone] })
const NEW = {
  ...fixtureServer('plain.mjs', {
    title: 'Plain',
    packageArguments: [level, { type: 'named', name: '--mode', value: 'safe' }],
  }),
  version: '2.0.0',
}

test('every screen where a server is configured', async ({ app: { page } }) => {
  const registry = await startLocalRegistry([NOTES, NEW])
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-shots-'))
  await page.setViewportSize(WIDE)
  await openSettings(page, 'Catalog')
  const address = page.getByRole('textbox', { name: 'Registry address' })
  await address.fill(registry.url)
  await address.press('Enter')

  await goTo(page, 'Catalog')
  await page.getByRole('searchbox', { name: 'Search catalog' }).fill('test.fixture')
  await page.getByRole('button', { name: 'Notes', exact: true }).click()
  await shoot(page, 'catalog-offers')
  await paste(page, NOTES)
  await shoot(page, 'setup-large')
  await page.evaluate(`location.hash = location.hash.replace('package-0', 'remote-0')`)
  await expect(page.getByRole('heading', { name: 'Headers' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Tenant' }).fill('acme')
  await shoot(page, 'setup-remote')
  await goTo(page, 'Catalog')
  await page.getByRole('button', { name: 'Leave' }).click()

  const dialog = await openPaste(page)
  await dialog.getByRole('textbox').fill(CONFIGURATION)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('github', { exact: true })).toBeVisible()
  await shoot(page, 'paste')
  await dialog
    .getByRole('button', { name: /^Close|^Cancel/u })
    .first()
    .click()

  await page.getByRole('button', { name: 'Add your own' }).click()
  await page.getByRole('menuitem', { name: 'Enter manually' }).click()
  await page.getByRole('textbox', { name: 'Command' }).fill('node')
  await page.getByRole('button', { name: 'Add argument' }).click()
  await page.getByRole('textbox', { name: 'Argument 1' }).fill('/home/mara/notes/server.js')
  await page.getByRole('button', { name: 'Add variable' }).click()
  await page.getByRole('textbox', { name: 'Name of variable 1' }).fill('API_KEY')
  await page.getByRole('textbox', { name: 'Name of variable 1' }).press('Tab')
  await page.getByRole('textbox', { name: 'Value of API_KEY' }).fill('correct-horse')
  await shoot(page, 'by-hand')
  await goTo(page, 'Catalog')
  await page.getByRole('button', { name: 'Leave' }).click()

  const bundle = join(folder, 'telling.mcpb')
  writeFileSync(bundle, await tellingBundle())
  await page.getByRole('button', { name: 'Add your own' }).click()
  await page.getByRole('menuitem', { name: 'Open bundle' }).click()
  await page.getByRole('textbox', { name: 'Bundle file' }).fill(bundle)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Telling bundle' })).toBeVisible()
  await shoot(page, 'bundle')

  await install(page, OLD, 'Plain')
  await expectStatus(page, 'Plain', 'Ready')
  await openServer(page, 'Plain')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Check for updates' }).click()
  await expect(page.getByRole('heading', { name: 'Update Plain' })).toBeVisible()
  await shoot(page, 'update')

  await openSettings(page, 'Servers')
  await page.getByRole('button', { name: 'Add shared secret' }).click()
  const secret = page.getByRole('dialog')
  await secret.getByRole('textbox', { name: 'Name' }).fill('Key of the team')
  await secret.getByLabel('Value', { exact: true }).fill('a-key-of-the-team')
  await secret.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('list', { name: 'Shared secrets' }).scrollIntoViewIfNeeded()
  await shoot(page, 'settings-secrets')
  await registry.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a repeated secret, an empty variable, options of the runner, and an ignored part', async ({
  app: { page },
}) => {
  await page.setViewportSize(WIDE)
  const pkg = {
    ...{ registryType: 'pypi', identifier: 'notes-mcp', version: '2.1.0', transport: stdio },
    packageArguments: [
      { type: 'named', name: '--header', isSecret: true, isRepeated: true },
      { type: 'positional', value: 'serve', weird: true },
      42,
    ],
    environmentVariables: [{ name: 'HTTPS_PROXY', description: 'Empty turns the proxy off' }],
  }
  await paste(page, { ...NOTES, packages: [pkg], remotes: [] })
  await page.getByRole('button', { name: 'Several values' }).click()
  await page.getByLabel('Header 1').fill('Cookie: a')
  await page.getByRole('button', { name: 'Add value' }).click()
  await page.getByLabel('Header 2').fill('X-Team: notes')
  await page.getByRole('button', { name: 'Set to empty' }).click()
  await page.getByRole('button', { name: 'Advanced' }).click()
  await page.getByLabel('uvx options 1').fill('--with')
  await page.getByLabel('uvx options 1').press('Enter')
  await page.getByLabel('uvx options 2').fill('mcp<2')
  await shoot(page, 'configure-several')
})
