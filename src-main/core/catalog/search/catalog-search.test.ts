import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { listedServer, npmPackage } from '../../../../e2e/fixtures/listed-servers'
import { tempFolder } from '../../../../e2e/fixtures/temp-folder'
import type { CatalogQuery } from '../../../../src-shared/domain/catalog/catalog-query'
import { OFFICIAL_REGISTRY } from '../../../../src-shared/domain/catalog/official-registry'
import { openCatalogFile } from '../store/catalog-file'
import { CatalogStore } from '../store/catalog-store'
import { readEntryHead } from '../store/listed-entry'

const REMOTE = [
  {
    ...{ type: 'streamable-http', url: 'https://{stripe_region}.a.example/mcp' },
    headers: [{ name: 'X-Stripe-Account' }],
    variables: { stripe_region: { description: 'Where' } },
  },
]
const SECRET = [{ name: 'ACME_API_TOKEN', isSecret: true, isRequired: true }]

const SERVERS = [
  listedServer({
    ...{ name: 'com.stripe/agent-toolkit', title: 'Stripe', description: 'Payments' },
    remotes: REMOTE,
    updatedAt: '2026-01-05T00:00:00Z',
  }),
  listedServer({ name: 'io.github.ann/stripe', description: 'An unofficial wrapper' }),
  listedServer({ name: 'com.aggregator/stripe', updatedAt: '2026-01-01T00:00:00Z' }),
  listedServer({ name: 'io.github.bob/pay-tools', description: 'Works with Stripe and others' }),
  listedServer({ name: 'io.github.cat/stripe-helper', status: 'deprecated' }),
  listedServer({
    ...{ name: 'org.postgresql/server', title: 'PostgreSQL', description: 'Query a database' },
    packages: [npmPackage('@pg/postgres-mcp', { environmentVariables: SECRET })],
    updatedAt: '2026-01-04T00:00:00Z',
  }),
  listedServer({
    ...{ name: 'io.github.dan/images', description: 'Pictures made by 画像生成 and more' },
    packages: [
      { registryType: 'oci', identifier: 'docker.io/dan/images:1', transport: { type: 'stdio' } },
    ],
    updatedAt: '2026-01-03T00:00:00Z',
    publishedAt: '2025-01-01T00:00:00Z',
  }),
  listedServer({
    ...{ name: 'io.github.eve/Café', title: 'Café Müller', description: 'Tables for two' },
    packages: [
      {
        ...{ registryType: 'pypi', identifier: 'cafe-mcp', transport: { type: 'stdio' } },
        packageArguments: [
          { type: 'named', name: '--opening-hours' },
          { type: 'positional', valueHint: 'opening times' },
        ],
      },
    ],
    updatedAt: '2026-01-02T00:00:00Z',
  }),
]

const folder = mkdtempSync(join(tmpdir(), 'patchbay-search-'))
const store = new CatalogStore(openCatalogFile(folder))

function fill(empty: CatalogStore): void {
  empty.setSources([{ sourceId: 's', baseUrl: OFFICIAL_REGISTRY, enabled: true }])
  const heads = SERVERS.map(readEntryHead).filter((head) => head !== undefined)
  empty.transaction(() => empty.saveEntries('s', heads, 1))
}

beforeAll(() => fill(store))

afterAll(() => {
  store[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

function found(text: string, more: Partial<CatalogQuery> = {}): string[] {
  return store.search({ text, ...more }).servers.map(({ name }) => name)
}

describe('D2: catalog search', () => {
  it('finds servers just committed, and no removed ones', () => {
    const name = 'com.late/newcomer'
    for (const status of ['deleted', 'active', 'deleted'] as const) {
      const head = readEntryHead(listedServer({ name, status })) ?? []
      store.transaction(() => store.saveEntries('s', [head].flat(), 1))
      expect(found('newcomer')).toEqual(status === 'active' ? [name] : [])
    }
  })

  it('has the words for typos ready after `prepare`', () => {
    const file = openCatalogFile(tempFolder('catalog'))
    using own = new CatalogStore(file)
    fill(own)
    own.prepareSearch()
    own.search({ text: 'strpie' })
    file.writer.exec("INSERT INTO server_word (rowid, head) VALUES (99, 'strpiex')")
    expect(own.search({ text: 'strpie' })).toMatchObject({ corrections: [{ taken: ['stripe'] }] })
  })

  it('ranks official and exact matches first, then mentions, then deprecated servers', () => {
    expect(found('stripe')).toEqual([
      'com.stripe/agent-toolkit',
      'com.aggregator/stripe',
      'io.github.ann/stripe',
      'io.github.bob/pay-tools',
      'io.github.cat/stripe-helper',
    ])
  })

  it.each([
    ['a title', 'postgresql', 'org.postgresql/server'],
    ['the beginning of a word', 'postg', 'org.postgresql/server'],
    ['the middle of a name', 'gresq', 'org.postgresql/server'],
    ['a description', 'pictures', 'io.github.dan/images'],
    ['a publisher', 'eve', 'io.github.eve/Café'],
    ['the domain of a publisher', 'stripe.com', 'com.stripe/agent-toolkit'],
    ['a whole name', 'io.github.dan/images', 'io.github.dan/images'],
    ['a package', '@pg/postgres-mcp', 'org.postgresql/server'],
    ['a variable', 'ACME_API_TOKEN', 'org.postgresql/server'],
    ['an argument', '--opening-hours', 'io.github.eve/Café'],
    ['the address of its source', 'https://github.com/dan/images', 'io.github.dan/images'],
    ['a value hint', 'opening times', 'io.github.eve/Café'],
    ['a header', 'X-Stripe-Account', 'com.stripe/agent-toolkit'],
    ['a variable of an address', 'stripe_region', 'com.stripe/agent-toolkit'],
    ['letters without their marks', 'cafe muller', 'io.github.eve/Café'],
    ['letters of another script', '画像', 'io.github.dan/images'],
    ['what stands within a text without blanks', '像生', 'io.github.dan/images'],
    ['a word without blanks in a sentence', '画像生成', 'io.github.dan/images'],
    ['words in any order', 'database postgresql', 'org.postgresql/server'],
  ])('finds servers by %s', (_, text, name) => {
    expect(found(text)[0]).toBe(name)
  })

  it('shows servers with the most words if none has all, and says so', () => {
    const page = store.search({ text: 'stripe pictures' })
    expect(page.servers.map(({ name }) => name)).toContain('io.github.dan/images')
    expect(page).toMatchObject({ isPartial: true, corrections: [] })
    expect(store.search({ text: 'query database' }).isPartial).toBe(false)
  })

  it.each([
    ['two letters that changed places', 'postgersql'],
    ['one that is missing', 'pictres'],
    ['one too much', 'databbase'],
    ['another one', 'gotpictares'.slice(3)],
  ])('finds the intended word for %s', (_, text) => {
    const page = store.search({ text })
    expect(page.total).toBeGreaterThan(0)
    expect(page.corrections).toMatchObject([{ typed: text, has: 0 }])
  })

  it('counts the servers of a rare word that is close to another', () => {
    const { corrections, servers } = store.search({ text: 'image' })
    expect(corrections).toEqual([{ typed: 'image', taken: ['images'], has: 1 }])
    expect(servers).toHaveLength(1)
  })

  it("doesn't replace a word that servers use", () => {
    expect(store.search({ text: 'stripe' }).corrections).toEqual([])
  })

  it("accepts characters that SQLite doesn't know yet", () => {
    expect(store.search({ text: 'ͰᦰⰀ' }).total).toBe(0)
  })

  it('treats every character literally, so nothing typed fails', () => {
    const signs = ['"', "'", '*', '(', ')', '^', '-', ':', '{}', '%', '\0']
    const hostile = [...signs, ' AND ', ' OR ', ' NOT ', ' NEAR(a b)', 'server_word']
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.oneof(fc.constantFrom(...hostile), fc.string()), { maxLength: 12 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, (typed) => {
        const { servers, total } = store.search({ text: typed })
        expect(servers.length).toBe(total)
        expect(total).toBeLessThanOrEqual(SERVERS.length)
      }),
      { numRuns: 300 },
    )
  })
})

describe('D2: filters, facets and sorting', () => {
  it('show the newest first without a search text', () => {
    expect(found('', { limit: 4, offset: 3 })).toEqual([
      'com.stripe/agent-toolkit',
      'org.postgresql/server',
      'io.github.dan/images',
      'io.github.eve/Café',
    ])
  })

  it.each([
    [{ kinds: ['remote' as const] }, ['com.stripe/agent-toolkit']],
    [
      { kinds: ['docker' as const, 'pypi' as const] },
      ['io.github.dan/images', 'io.github.eve/Café'],
    ],
    // A server that is only connected to doesn't run here.
    [{ runners: [] }, []],
    [{ runners: ['uvx' as const] }, ['io.github.eve/Café']],
    [{ asksForSecrets: true }, ['org.postgresql/server']],
    [
      { namespaces: ['domain' as const] },
      ['com.stripe/agent-toolkit', 'org.postgresql/server', 'com.aggregator/stripe'],
    ],
    [{ statuses: ['deprecated' as const] }, ['io.github.cat/stripe-helper']],
    [{ updatedSince: Date.parse('2026-01-05T00:00:01Z'), namespaces: ['domain' as const] }, []],
    [{ sourceIds: ['other'] }, []],
    [{ kinds: [], namespaces: [], statuses: [], sourceIds: [] }, SERVERS.length],
  ])('filter by %j', (filter, expected) => {
    const page = store.search({ text: '', filter })
    if (typeof expected === 'number') expect(page.total).toBe(expected)
    else expect(page.servers.map(({ name }) => name)).toEqual(expected)
  })

  it('count what each choice would show with the other filters unchanged', () => {
    const { facets, total } = store.search({
      text: '',
      filter: { namespaces: ['domain'] },
      runnersHere: ['npx'],
      recent: {
        month: Date.parse('2026-01-04T00:00:00Z'),
        year: Date.parse('2026-01-02T00:00:00Z'),
      },
    })
    expect(total).toBe(3)
    expect(facets).toEqual({
      kinds: { npm: 2, pypi: 0, docker: 0, nuget: 0, cargo: 0, bundle: 0, remote: 1 },
      runsHere: 2,
      asksForSecrets: 1,
      asksForNone: 2,
      namespaces: { domain: 3, github: 5, none: 0 },
      statuses: { active: 3, deprecated: 0 },
      updated: { month: 2, year: 2 },
      sources: { s: 3 },
    })
  })

  it('sort by name ignoring case, and by publishing date', () => {
    expect(found('', { sort: 'name' })).toEqual([
      'com.aggregator/stripe',
      'com.stripe/agent-toolkit',
      'io.github.ann/stripe',
      'io.github.bob/pay-tools',
      'io.github.cat/stripe-helper',
      'io.github.dan/images',
      'io.github.eve/Café',
      'org.postgresql/server',
    ])
    expect(found('', { sort: 'published' }).at(-1)).toBe('io.github.dan/images')
    expect(found('stripe', { sort: 'updated' }).slice(-2)).toEqual([
      'com.stripe/agent-toolkit',
      'com.aggregator/stripe',
    ])
  })

  it('return every server once over all pages, in the order of one long page', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom('', 'stripe', 'i'),
        fc.constantFrom('relevance' as const, 'updated' as const, 'name' as const),
        (limit, text, sort) => {
          const whole = found(text, { sort })
          const parts = Array.from({ length: 8 }, (_, page) =>
            found(text, { sort, limit, offset: page * limit }),
          )
          expect(parts.flat()).toEqual(whole)
        },
      ),
    )
  })
})
