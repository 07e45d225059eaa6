import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { vetHeadline, type VetReport } from '../../src-shared/domain/vet/vet-report'
import { type Harness, Harnesses } from '../fixtures/harness'
import { realNpx, realUvx } from '../fixtures/real-tools'
import { buildTokenThread, type TokenThread } from '../fixtures/token-thread'
import { FIELD_SERVERS } from './field-servers'
import { installPublished } from './install-published'

/** One server with its first download, and its checks. */
const LIMIT_MS = 400_000
/** As many as a slow computer checks within eight minutes with cold caches. */
const SLICE = 9
const ROOT = resolve(import.meta.dirname, '../..')
const RESULTS = join(ROOT, 'test-results/vet')
/** Packages stay for the next run. */
const CACHE = join(ROOT, '.build/vet-cache')

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-'))
const [npx, uvx] = await Promise.all([
  realNpx(folder, '@modelcontextprotocol/server-memory'),
  realUvx(),
])
const harnesses = new Harnesses()
const before = { ...process.env }
let thread: TokenThread
let harness: Harness

beforeAll(async () => {
  delete process.env.npm_config_cache
  process.env.NPM_CONFIG_CACHE = join(CACHE, 'npm')
  process.env.UV_CACHE_DIR = join(CACHE, 'uv')
  if (uvx.kind === 'there') process.env.PATH = [uvx.folder, process.env.PATH].join(delimiter)
  mkdirSync(RESULTS, { recursive: true })
  thread = await buildTokenThread()
  harness = harnesses.open(undefined, { createTokenWorker: thread.createWorker })
})
afterAll(async () => {
  await harnesses.closeAll()
  thread.remove()
  process.env = before
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function write(identifier: string, report: VetReport): void {
  const name = identifier.replaceAll(/[^\w.-]+/gu, '_')
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`)
}

const slices = Array.from({ length: Math.ceil(FIELD_SERVERS.length / SLICE) }, (_, index) =>
  FIELD_SERVERS.slice(index * SLICE, (index + 1) * SLICE),
)

describe.each(slices.map((servers, index) => ({ servers, index })))(
  'E14 reports of published servers, slice $index',
  ({ servers }) => {
    for (const one of servers) {
      const tool = one.registryType === 'npm' ? npx : uvx
      it.runIf(tool.kind === 'there')(
        `${one.identifier} (${one.registryType}) gets a report of every check`,
        async () => {
          const installationId = await installPublished(harness, one, folder)
          const report = await harness.call('vet.run', { installationId, callReadOnly: true })
          write(`${one.registryType}-${one.identifier}`, report)
          const found = report.checks.filter(({ outcome }) => outcome === 'found')
          process.stdout.write(
            `${one.identifier}: ${vetHeadline(report)} ${String(report.durationMs)} ms\n  ${found.map(({ id, level }) => `${level} ${id}`).join(', ')}\n`,
          )
          expect(report.checks.every(({ restart }) => !restart?.includes('didn’t respond'))).toBe(
            true,
          )
          await harness.call('installation.remove', { installationId, deleteSecrets: true })
        },
        LIMIT_MS,
      )
    }
  },
)
