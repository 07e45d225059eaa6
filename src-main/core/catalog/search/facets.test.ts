import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listedServer, npmPackage } from '../../../../e2e/fixtures/listed-servers'
import { openTestStore } from '../../../../e2e/fixtures/test-catalog'
import {
  type CatalogFilter,
  NamespaceProof,
} from '../../../../src-shared/domain/catalog/catalog-query'
import {
  checksNamespaces,
  OFFICIAL_REGISTRY,
} from '../../../../src-shared/domain/catalog/official-registry'
import { RunnerName } from '../../../../src-shared/domain/runner-name'
import { parseServerJson } from '../../../../src-shared/domain/server-json/parse-server-json'
import { rankOffer } from '../../../../src-shared/domain/server-json/preferred-offer'
import { openCatalogFile } from '../store/catalog-file'
import { CatalogStore } from '../store/catalog-store'
import { type EntryHead, readEntryHead } from '../store/listed-entry'

const FIRST_DAY = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000
const REMOTES = [{ type: 'streamable-http', url: 'https://a.example/mcp' }]
/** The offers of each server; one is updated per day. */
const OFFERED = ['npm', 'pypi', 'oci', 'nuget', 'cargo', 'mcpb', 'remote', 'npm remote', 'none']

/** Servers of another registry, with unverified names. */
const OTHERS = ['com.stripe/pay', 'io.github.ann/notes']
const SECRETS = [npmPackage('a', { environmentVariables: [{ name: 'KEY', isSecret: true }] })]

const folder = mkdtempSync(join(tmpdir(), 'patchbay-filter-'))
const store = new CatalogStore(openCatalogFile(folder))

function serverOf(offered: string, day: number): object {
  const kinds = offered.split(' ').filter((kind) => !['remote', 'none'].includes(kind))
  return listedServer({
    ...{ name: `a.b/${offered.replace(' ', '-')}`, description: 'Does things' },
    packages: kinds.map((registryType) => ({
      ...{ registryType, identifier: 'a', version: '1.0.0', transport: { type: 'stdio' } },
    })),
    ...(offered.includes('remote') && { remotes: REMOTES }),
    updatedAt: new Date(FIRST_DAY + day * DAY_MS).toISOString(),
  })
}

function found(heads: readonly (EntryHead | undefined)[]): EntryHead[] {
  return heads.filter((head) => head !== undefined)
}

beforeAll(() => {
  store.setSources([
    { sourceId: 's', baseUrl: OFFICIAL_REGISTRY, enabled: true },
    { sourceId: 'own', baseUrl: 'http://127.0.0.1:1', enabled: true },
  ])
  const heads = OFFERED.map((offered, day) => readEntryHead(serverOf(offered, day)))
  const others = OTHERS.map((name) => readEntryHead(listedServer({ name, packages: SECRETS })))
  store.transaction(() => {
    store.saveEntries('s', found(heads), 1)
    store.saveEntries('own', found(others), 1)
  })
})
afterAll(() => {
  store[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

function totalOf(filter: CatalogFilter): number {
  return store.search({ text: '', filter }).total
}

describe('D2: servers that run here, and new ones', () => {
  it('exclude remotes, standalone programs and servers without a runner here', () => {
    const namesWith = (runners: RunnerName[]): string[] =>
      store
        .search({ text: '', sort: 'name', filter: { runners, sourceIds: ['s'] } })
        .servers.map(({ name }) => name.slice('a.b/'.length))
    expect(namesWith([])).toEqual(['mcpb'])
    expect(namesWith(['npx', 'docker'])).toEqual(['mcpb', 'npm', 'npm-remote', 'oci'])
    expect(namesWith([...RunnerName.options])).toEqual([
      ...['mcpb', 'npm', 'npm-remote', 'nuget', 'oci', 'pypi'],
    ])
  })

  it('exclude servers without an HTTP address or for another machine, with the reason in their details', () => {
    const other = process.platform === 'win32' ? 'darwin' : 'win32'
    const http = { type: 'streamable-http' }
    const bundle = (identifier: string): object => ({
      ...{ registryType: 'mcpb', identifier, version: '1', transport: { type: 'stdio' } },
    })
    const offers: Readonly<Record<string, readonly object[]>> = {
      'both-ways': [npmPackage('a', { transport: http }), npmPackage('a')],
      'http-alone': [npmPackage('a', { transport: http })],
      'http-here-only': [
        npmPackage('a', { transport: http }),
        npmPackage('a', { registryType: 'pypi' }),
      ],
      'other-machine': [bundle(`https://a.example/a-${other}.mcpb`)],
      'this-machine': [bundle(`https://a.example/a-${process.platform}.mcpb`)],
    }
    const own = openTestStore()
    const heads = Object.entries(offers).map(([name, packages]) =>
      readEntryHead(listedServer({ name: `a.b/${name}`, packages })),
    )
    own.transaction(() => own.saveEntries('local', found(heads), 1))
    const runnable = (runners: RunnerName[]): string[] => {
      const query = { text: '', sort: 'name' as const, runnersHere: runners }
      const { servers } = own.search({ ...query, filter: { runners } })
      expect(own.search(query).facets.runsHere).toBe(servers.length)
      return servers.map(({ name }) => name.slice('a.b/'.length))
    }
    expect(runnable(['npx'])).toEqual(['both-ways', 'this-machine'])
    expect(runnable(['npx', 'uvx'])).toEqual(['both-ways', 'http-here-only', 'this-machine'])
    const kinds = own.search({ text: 'http-alone' }).servers.map((server) => server.kinds)
    expect(kinds).toEqual([['npm']])
    const { platform, arch } = process
    for (const name of Object.keys(offers)) {
      const { server } = parseServerJson(own.read('local', `a.b/${name}`)?.raw)
      const ranks = server.packages.map(
        (pkg) => rankOffer({ kind: 'package', pkg }, { platform, arch, runners: ['npx'] }).rank,
      )
      expect(runnable(['npx']).includes(name), name).toBe(ranks.includes('ready'))
    }
  })

  it('are counted as the filter would leave them, whatever else is chosen', () => {
    const moment = fc.integer({ min: FIRST_DAY - DAY_MS, max: FIRST_DAY + 10 * DAY_MS })
    const choices = fc.record(
      {
        kinds: fc.subarray(['npm' as const, 'cargo' as const, 'remote' as const]),
        runners: fc.subarray([...RunnerName.options]),
        updatedSince: moment,
        namespaces: fc.subarray([...NamespaceProof.options]),
        sourceIds: fc.subarray(['s', 'own']),
        asksForSecrets: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(choices, fc.tuple(moment, moment), (filter, [month, year]) => {
        const { runners: runnersHere = ['npx'] } = filter
        const query = { text: '', filter, runnersHere, recent: { month, year } }
        const { facets } = store.search(query)
        expect(facets.runsHere).toBe(totalOf({ ...filter, runners: runnersHere }))
        expect(facets.updated.month).toBe(totalOf({ ...filter, updatedSince: month }))
        expect(facets.updated.year).toBe(totalOf({ ...filter, updatedSince: year }))
        expect(facets.asksForSecrets).toBe(totalOf({ ...filter, asksForSecrets: true }))
        expect(facets.asksForNone).toBe(totalOf({ ...filter, asksForSecrets: false }))
        for (const proof of NamespaceProof.options)
          expect(facets.namespaces[proof]).toBe(totalOf({ ...filter, namespaces: [proof] }))
        for (const sourceId of ['s', 'own'])
          expect(facets.sources[sourceId] ?? 0).toBe(totalOf({ ...filter, sourceIds: [sourceId] }))
      }),
    )
  })
})

describe('D2: namespace verification', () => {
  function ofProof(proof: NamespaceProof): string[] {
    const { servers } = store.search({ text: '', sort: 'name', filter: { namespaces: [proof] } })
    for (const { isVerified } of servers) expect(isVerified).toBe(proof !== 'none')
    return servers.map(({ name }) => name)
  }

  it("is done by the official registry alone, whatever another one's names claim", () => {
    expect(ofProof('none')).toEqual(OTHERS)
    expect(ofProof('domain')).toHaveLength(OFFERED.length)
    expect(ofProof('github')).toEqual([])
    expect(store.read('own', 'com.stripe/pay')?.row.base_url).toBe('http://127.0.0.1:1')
  })

  it.each([
    [OFFICIAL_REGISTRY, true],
    [`${OFFICIAL_REGISTRY}/`, true],
    [`${OFFICIAL_REGISTRY}.evil.example`, false],
    [`${OFFICIAL_REGISTRY}/other`, false],
    ['https://mirror.example', false],
    ['', false],
  ])('is done at %s: %s', (address, isChecked) => {
    expect(checksNamespaces(address)).toBe(isChecked)
  })
})
