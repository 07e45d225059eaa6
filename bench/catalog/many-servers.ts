import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const DATA = resolve('../shared/data')
const OFFICIAL = 'io.modelcontextprotocol.registry/official'
/** Suffixes of names in the second and third variation of an entry. */
const ENDINGS = ['', '-kit', '-lab', '-hub', '-box']
const PAGE = 100

type Listed = {
  readonly name: string
  readonly description: string
  readonly status: string
  readonly version: string
  readonly kind: string
  readonly publishedAt: string
  readonly updatedAt: string
}
type Offers = { readonly packages?: unknown[]; readonly remotes?: unknown[] }

/** A registry entry. */
export type BenchEntry = {
  readonly server: { readonly name: string; readonly description: string } & Offers
  readonly _meta: object
}

/** Varies the real index, or made-up servers if it is unavailable, until there are `count`. */
export function manyServers(count: number): BenchEntry[] {
  const listed = readListed()
  const offers = readOffers()
  return Array.from({ length: count }, (_, index) => {
    const one = listed[index % listed.length]
    if (!one) throw new Error('There is nothing to vary.')
    const ending = ENDINGS[Math.floor(index / listed.length)] ?? `-${index}`
    const kinds = one.kind === 'remote' ? offers.remote : offers.local
    const { status, publishedAt, updatedAt, version, description } = one
    return {
      server: {
        ...{ name: `${one.name}${ending}`, description, version },
        ...kinds[index % kinds.length],
      },
      _meta: { [OFFICIAL]: { status, publishedAt, updatedAt, isLatest: true } },
    }
  })
}

/** The same entries with new descriptions, as a registry has them later. */
export function changedServers(entries: readonly BenchEntry[]): BenchEntry[] {
  return entries.map((entry) => ({
    ...entry,
    server: { ...entry.server, description: `${entry.server.description} (@@ROUND@@)` },
  }))
}

/** Pages of 100 entries, as JSON text. */
export function pagesOf(entries: readonly BenchEntry[]): string[] {
  return Array.from({ length: Math.ceil(entries.length / PAGE) }, (_, page) =>
    JSON.stringify(entries.slice(page * PAGE, (page + 1) * PAGE)),
  )
}

/** The real index, if available. */
export function listedServers(): Listed[] | undefined {
  const file = resolve(DATA, 'registry-index-11978.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Listed[]) : undefined
}

function readListed(): Listed[] {
  const listed = listedServers()
  if (listed) return listed
  return Array.from({ length: 10_000 }, (_, index) => ({
    name: `io.github.person-${index % 3_000}/${TOPICS[index % TOPICS.length] ?? ''}-${index}`,
    description: `Talks to ${TOPICS[(index * 7) % TOPICS.length] ?? ''} and ${TOPICS[(index * 3) % TOPICS.length] ?? ''}`,
    ...{ status: 'active', version: '1.0.0', kind: index % 2 === 0 ? 'remote' : 'local' },
    ...{ publishedAt: '2026-01-01T00:00:00Z', updatedAt: '2026-02-01T00:00:00Z' },
  }))
}

const TOPICS = ['github', 'postgres', 'stripe', 'files', 'search', 'weather', 'calendar', 'slack']

function readOffers(): Record<'remote' | 'local', Offers[]> {
  const file = resolve(DATA, 'registry-entries.json')
  if (!existsSync(file)) {
    const transport = { type: 'stdio' }
    return {
      remote: [{ remotes: [{ type: 'streamable-http', url: 'https://a.example/mcp' }] }],
      local: [
        { packages: [{ registryType: 'npm', identifier: 'a', version: '1.0.0', transport }] },
      ],
    }
  }
  const { servers } = JSON.parse(readFileSync(file, 'utf8')) as { servers: { server: Offers }[] }
  const all = servers.map(({ server: { packages, remotes } }) => ({ packages, remotes }))
  return {
    remote: all.filter(({ remotes }) => remotes?.length),
    local: all.filter(({ packages }) => packages?.length),
  }
}
