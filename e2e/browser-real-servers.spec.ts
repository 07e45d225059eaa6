import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import type { Page } from '@playwright/test'

import { approve, argvOf, expectStatus, nameIt, paste, setUp } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { realUvx } from './fixtures/real-tools'

/** Time for a first download over a slow connection. */
const LIMIT_MS = 240_000
test.describe.configure({ timeout: LIMIT_MS })

test.describe('A3, A5 and B9: published npm servers', () => {
  test('five are filled in, run with npx and become Ready at their pinned version', async ({
    app: { page },
    profileDir,
  }) => {
    const notes = join(profileDir, 'notes')
    mkdirSync(notes)
    const fill: Record<string, (page: Page) => Promise<void>> = {
      Filesystem: () => page.getByRole('textbox', { name: 'Allowed folders 1' }).fill(notes),
      Memory: () =>
        page.getByRole('textbox', { name: /^Memory file/u }).fill(join(notes, 'memory.jsonl')),
      Everything: () => Promise.resolve(),
      'Sequential thinking': () => Promise.resolve(),
      Context7: () => Promise.resolve(),
    }
    for (const [title, values] of Object.entries(fill)) {
      await setUp(page, title)
      await values(page)
      await expect(argvOf(page).nth(2)).toHaveText(/@\d+\.\d+\.\d+$/u)
      await approve(page)
    }
    for (const title of Object.keys(fill)) await expectStatus(page, title, 'Ready', LIMIT_MS / 2)
  })
})

type PythonServer = { name: string; args: object[]; fill: [label: string, value: string][] }

function pypiServer({ name, args }: PythonServer): object {
  return {
    name: `real/${name}`,
    title: name,
    description: 'A published server.',
    version: '1.0.0',
    packages: [
      {
        registryType: 'pypi',
        identifier: name,
        version: '2026.10.19',
        transport: { type: 'stdio' },
        packageArguments: args,
      },
    ],
  }
}

const PYTHON: readonly PythonServer[] = [
  {
    name: 'mcp-server-time',
    args: [{ type: 'named', name: '--local-timezone', description: 'Zone', isRequired: true }],
    fill: [['Local timezone', 'Europe/Berlin']],
  },
  {
    name: 'mcp-server-fetch',
    args: [
      { type: 'named', name: '--user-agent', description: 'Agent' },
      { type: 'named', name: '--ignore-robots-txt', format: 'boolean', description: 'Robots' },
    ],
    fill: [['User agent', 'a test of $(mine); "quoted"']],
  },
  { name: 'mcp-server-git', args: [{ type: 'named', name: '-v' }], fill: [] },
]

test.describe('A3, A5 and B9: published Python servers', () => {
  test('three become Ready through uvx', async ({ openApp }) => {
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-real-'))
    try {
      const uvx = await realUvx()
      test.skip(uvx.kind === 'missing', uvx.kind === 'missing' ? uvx.reason : '')
      if (uvx.kind === 'missing') return
      const path = [uvx.folder, process.env.PATH].join(delimiter)
      const { page } = await openApp({ env: { PATH: path, UV_CACHE_DIR: join(folder, 'cache') } })
      for (const server of PYTHON) {
        await paste(page, pypiServer(server))
        await nameIt(page, server.name)
        for (const [label, value] of server.fill) {
          await page.getByRole('textbox', { name: label }).fill(value)
        }
        await expect(argvOf(page).nth(1)).toHaveText(`${server.name}@2026.10.19`)
        await approve(page)
      }
      for (const { name } of PYTHON) await expectStatus(page, name, 'Ready', LIMIT_MS / 2)
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
