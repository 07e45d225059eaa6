import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { vetHeadline, type VetReport } from '../../src-shared/domain/vet/vet-report'
import { FIELD_SERVERS } from './field-servers'
import { installPublished, publishedRunners } from './install-published'

/** Time for one server's first download and its checks. */
const LIMIT_MS = 400_000
/** As many as a slow computer checks within eight minutes with cold caches. */
const SLICE = 9
const ROOT = resolve(import.meta.dirname, '../..')
const RESULTS = join(ROOT, 'test-results/vet')
/** Packages are kept for the next run. */
const CACHE = join(ROOT, '.build/vet-cache')

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-'))
const runners = await publishedRunners(folder, CACHE)

beforeAll(() => void mkdirSync(RESULTS, { recursive: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

function write(identifier: string, report: VetReport): void {
  const name = identifier.replaceAll(/[^\w.-]+/gu, '_')
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`)
}

const slices = Array.from({ length: Math.ceil(FIELD_SERVERS.length / SLICE) }, (_, index) =>
  FIELD_SERVERS.slice(index * SLICE, (index + 1) * SLICE),
)

describe.each(slices.map((servers, index) => ({ servers, index })))(
  'E14: reports of published servers, slice $index',
  ({ servers }) => {
    for (const one of servers) {
      it.runIf(runners.isThere(one))(
        `${one.identifier} (${one.registryType}) gets a report of every check`,
        async () => {
          const harness = runners.harness()
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
