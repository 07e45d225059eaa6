import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { format } from 'oxfmt'
import { afterAll, describe, expect, it } from 'vitest'

import { vetMarkdown } from '../../src-shared/domain/vet/vet-markdown'
import { vetHeadline, type VetReport } from '../../src-shared/domain/vet/vet-report'
import { FIELD_SERVERS } from './field-servers'
import { installPublished, publishedRunners } from './install-published'

/** Time for one server's first download and its checks. */
const LIMIT_MS = 400_000
/** Time for the checks alone, with a cached package. */
const WARM_LIMIT_MS = 20_000
const PAGE = resolve(import.meta.dirname, '../../docs/report-cards.md')

/** Servers whose reports are in the docs. */
const SERVERS = FIELD_SERVERS.slice(0, 14)

const folder = mkdtempSync(join(tmpdir(), 'patchbay-vet-'))
const runners = await publishedRunners(folder, folder)
const reports: VetReport[] = []

afterAll(async () => {
  if (reports.length === SERVERS.length) await writeCards()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Writes the report cards below the page's first heading. */
async function writeCards(): Promise<void> {
  const page = readFileSync(PAGE, 'utf8')
  const begin = '<!-- reports begin -->'
  const head = page.slice(0, page.indexOf(begin) + begin.length)
  const cards = reports.map((report) => vetMarkdown(report).replaceAll(/^#/gmu, '##'))
  const text = `${head}\n\n${cards.join('\n')}`
    .replaceAll(folder, '/home/ada')
    // uv gives each archive a new name.
    .replaceAll(/archive-v0\/[\w-]+/gu, 'archive-v0/0')
    .replaceAll(homedir(), '/home/ada')
  writeFileSync(PAGE, (await format(PAGE, text)).code)
}

const found = ({ checks }: VetReport): string[] =>
  checks.filter(({ outcome }) => outcome === 'found').map(({ id }) => id)

describe('E14: published servers', () => {
  for (const one of SERVERS) {
    it.runIf(runners.isThere(one))(
      `${one.identifier} gets the same report three times, within 20 s once cached`,
      async () => {
        const harness = runners.harness()
        const installationId = await installPublished(harness, one, folder)
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
