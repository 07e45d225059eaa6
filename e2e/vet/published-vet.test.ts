import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

import { format } from 'oxfmt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { vetMarkdown } from '../../src-shared/domain/vet/vet-markdown'
import { vetHeadline, type VetReport } from '../../src-shared/domain/vet/vet-report'
import { type Harness, Harnesses } from '../fixtures/desk'
import { realNpx, realUvx } from '../fixtures/real-tools'
import { buildTokenThread, type TokenThread } from '../fixtures/token-thread'

/** One server with its first download, and its checks. */
const LIMIT_MS = 400_000
/** Of the checks alone, once the package is there. */
const WARM_LIMIT_MS = 20_000
const PAGE = resolve(import.meta.dirname, '../../docs/report-cards.md')

type Published = {
  readonly identifier: string
  readonly version: string
  readonly registryType: 'npm' | 'pypi'
  readonly args?: readonly string[]
  /** Dummies for what the server requires; no account is used. */
  readonly secrets?: readonly string[]
}

const npm = (identifier: string, version: string, rest: Partial<Published> = {}): Published => ({
  ...{ identifier, version, registryType: 'npm' },
  ...rest,
})
const pypi = (identifier: string, version: string, rest: Partial<Published> = {}): Published => ({
  ...{ identifier, version, registryType: 'pypi' },
  ...rest,
})

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-'))
const SERVERS: readonly Published[] = [
  npm('@modelcontextprotocol/server-filesystem', '2026.8.31', { args: [folder] }),
  npm('@modelcontextprotocol/server-memory', '2026.8.31'),
  npm('@modelcontextprotocol/server-everything', '2026.8.31'),
  npm('@modelcontextprotocol/server-sequential-thinking', '2026.8.31'),
  npm('@modelcontextprotocol/server-github', '2025.4.8', {
    secrets: ['GITHUB_PERSONAL_ACCESS_TOKEN'],
  }),
  npm('@playwright/mcp', '0.0.83'),
  npm('@upstash/context7-mcp', '4.1.1'),
  npm('@notionhq/notion-mcp-server', '2.5.2', { secrets: ['NOTION_TOKEN'] }),
  npm('mcp-server-kubernetes', '4.1.7'),
  npm('chrome-devtools-mcp', '1.11.0'),
  pypi('mcp-server-fetch', '2026.10.24'),
  pypi('mcp-server-git', '2026.10.19'),
  pypi('mcp-server-time', '2026.10.19'),
  pypi('mcp-server-sqlite', '2025.4.25', { args: ['--db-path', join(folder, 'test.db')] }),
]

const [npx, uvx] = await Promise.all([
  realNpx(folder, '@modelcontextprotocol/server-memory'),
  realUvx(),
])
const harnesses = new Harnesses()
const before = { ...process.env }
const reports: VetReport[] = []
let thread: TokenThread
let harness: Harness

beforeAll(async () => {
  delete process.env.npm_config_cache
  process.env.NPM_CONFIG_CACHE = join(folder, 'npm-cache')
  process.env.UV_CACHE_DIR = join(folder, 'uv-cache')
  if (uvx.kind === 'there') process.env.PATH = [uvx.folder, process.env.PATH].join(delimiter)
  thread = await buildTokenThread()
  harness = harnesses.open(undefined, { createTokenWorker: thread.createWorker })
})
afterAll(async () => {
  await harnesses.closeAll()
  thread.remove()
  process.env = before
  if (reports.length === SERVERS.length) await writeCards()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Writes the cards below the first heading of the page. */
async function writeCards(): Promise<void> {
  const page = readFileSync(PAGE, 'utf8')
  const begin = '<!-- reports begin -->'
  const head = page.slice(0, page.indexOf(begin) + begin.length)
  const cards = reports.map((report) => vetMarkdown(report).replaceAll(/^#/gmu, '##'))
  const text = `${head}\n\n${cards.join('\n')}`
    .replaceAll(folder, '/home/ada')
    .replaceAll(homedir(), '/home/ada')
  writeFileSync(PAGE, (await format(PAGE, text)).code)
}

async function install(one: Published): Promise<string> {
  const { registryType, identifier, version, args = [], secrets = [] } = one
  const entry = await harness.paste({
    name: `published/${identifier.replace(/\W+/gu, '-')}`,
    title: identifier,
    description: 'A published server.',
    version,
    packages: [
      {
        ...{ registryType, identifier, version, transport: { type: 'stdio' } },
        packageArguments: args.map((value) => ({ type: 'positional', value })),
        environmentVariables: secrets.map((name) => ({ name, isRequired: true, isSecret: true })),
      },
    ],
  })
  const values = Object.fromEntries(secrets.map((name) => [`env_${name}`, 'a-made-up-value']))
  return harness.setUp(entry, { start: false, values })
}

const found = ({ checks }: VetReport): string[] =>
  checks.filter(({ outcome }) => outcome === 'found').map(({ id }) => id)

describe('E14 published servers', () => {
  for (const one of SERVERS) {
    const isThere = one.registryType === 'npm' ? npx.kind === 'there' : uvx.kind === 'there'
    it.runIf(isThere)(
      `${one.identifier} gets the same report three times, within 20 s once it is there`,
      async () => {
        const installationId = await install(one)
        const check = (): Promise<VetReport> =>
          harness.call('vet.run', { installationId, callReadOnly: true })
        const first = await check()
        const [second, third] = [await check(), await check()]
        expect(found(second)).toEqual(found(third))
        expect(found(first)).toEqual(found(second))
        expect(third.durationMs).toBeLessThan(WARM_LIMIT_MS)
        reports.push(third)
        process.stdout.write(
          `${one.identifier}: ${vetHeadline(third)} ${String(third.durationMs)} ms\n  ${found(third).join(', ')}\n`,
        )
        await harness.call('installation.remove', { installationId, deleteSecrets: true })
      },
      LIMIT_MS,
    )
  }
})
