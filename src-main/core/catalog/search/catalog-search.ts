import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

import {
  type CatalogFilter,
  type CatalogPage,
  type CatalogQuery,
  type FacetCounts,
  ListedKind,
  type ListedServer,
  ListedStatus,
  NamespaceProof,
} from '../../../../src-shared/domain/catalog/catalog-query'
import { STARTER_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import { checksNamespaces } from '../../../../src-shared/domain/catalog/official-registry'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import { runnerOfKind } from '../../../../src-shared/domain/server-json/preferred-offer'
import { type TextMatch, TextMatcher } from './match-text'

const PAGE = 50
const DAY_MS = 86_400_000
const ENABLED = 'source_id IN (SELECT source_id FROM source WHERE enabled = 1)'

/** Searches the catalog's file as committed. */
export class CatalogSearch {
  readonly #matcher: TextMatcher

  constructor(private readonly reader: DatabaseSync) {
    reader.exec('CREATE TEMP TABLE among (id INTEGER PRIMARY KEY, place INTEGER)')
    this.#matcher = new TextMatcher(reader)
  }

  /** Call when the catalog has changed. */
  forget(): void {
    this.#matcher.forget()
  }

  /** Reads in advance what the first search would wait for. */
  prepare(): void {
    this.search({ text: 'a', limit: 1 })
    this.#matcher.prepare()
  }

  search(query: CatalogQuery): CatalogPage {
    const { offset = 0, limit = PAGE, filter = {} } = query
    const match = this.#matcher.match(query.text)
    const scope = [ENABLED]
    if (match) scope.push('server.id IN (SELECT id FROM found)')
    if (filter.among) {
      this.#name(filter.among)
      scope.push('server.id IN (SELECT id FROM among)')
    }
    const { passing, total, facets } = filterGroups(this.reader, scope.join(' AND '), query)
    if (passing !== undefined) scope.push(PASSES)
    if (filter.updatedSince !== undefined) scope.push('coalesce(updated_at, 0) >= ?')
    const { order, values } = orderOf(query, match)
    const joined = match ? 'found CROSS JOIN server USING (id)' : 'server'
    const servers = this.reader
      .prepare(
        `WITH page AS MATERIALIZED (SELECT server.id FROM ${joined} WHERE ${scope.join(' AND ')}
           ORDER BY ${order} LIMIT ? OFFSET ?)
         SELECT server.*, base_url FROM page JOIN server USING (id) JOIN source USING (source_id)`,
      )
      .all(
        ...(passing === undefined ? [] : [passing]),
        ...(filter.updatedSince === undefined ? [] : [filter.updatedSince]),
        ...[...values, limit, offset],
      )
      .map(toListedServer)
    const { corrections = [], isPartial = false } = match ?? {}
    return { servers, total, facets, corrections, isPartial }
  }

  /** Collects the rows of named servers, with each name's position. */
  #name(refs: NonNullable<NonNullable<CatalogQuery['filter']>['among']>): void {
    this.reader.exec('DELETE FROM among')
    this.reader
      .prepare(
        `INSERT OR IGNORE INTO among SELECT server.id, wanted.key FROM json_each(?) AS wanted JOIN server
         ON source_id = wanted.value ->> 'sourceId' AND name = wanted.value ->> 'name'`,
      )
      .run(JSON.stringify(refs))
  }
}

/** Equally relevant servers are ordered by name, others by the order they came in. */
function orderOf(
  { sort = 'relevance', filter }: CatalogQuery,
  match: TextMatch | undefined,
): Pick<TextMatch, 'order' | 'values'> {
  // Only a wrong clock updates later than that.
  const latest = Date.now() + DAY_MS
  const newest = (column: string): string =>
    `min(coalesce(${column}, 0), ${latest}) DESC, server.id`
  if (sort === 'name') return { order: 'name COLLATE NOCASE, server.id', values: [] }
  if (sort !== 'relevance') return { order: newest(`${sort}_at`), values: [] }
  if (match) return { ...match, order: `${match.order}, name COLLATE NOCASE, server.id` }
  if (filter?.among)
    return { order: '(SELECT place FROM among WHERE among.id = server.id)', values: [] }
  const isStarter = `source_id = '${STARTER_SOURCE}'`
  return {
    order: `${isStarter} DESC, iif(${isStarter}, server.id, 0), ${newest('updated_at')}`,
    values: [],
  }
}

/** A row of the server table with its source's `base_url`, as lists show it. */
export function toListedServer(row: Record<string, SQLOutputValue>): ListedServer {
  return {
    sourceId: String(row.source_id),
    name: String(row.name),
    description: String(row.description),
    publisher: String(row.publisher),
    namespace: row.namespace === 'github' ? 'github' : 'domain',
    isVerified: checksNamespaces(String(row.base_url)),
    version: String(row.version),
    status: row.status === 'deprecated' ? 'deprecated' : 'active',
    kinds: String(row.kinds)
      .split(' ')
      .filter((kind): kind is ListedKind => kind !== ''),
    asksForSecrets: row.asks_for_secrets === 1,
    ...optional('title', row.title),
    ...optional('statusMessage', row.status_message),
    ...optional('publishedAt', row.published_at),
    ...optional('updatedAt', row.updated_at),
    ...optional('icon', row.icon),
  }
}

function optional(key: keyof ListedServer, value: SQLOutputValue | undefined): object {
  return value === null || value === undefined ? {} : { [key]: value }
}

/** The columns that filters distinguish, in SQL. */
const COMMON = 'source_id, status, namespace, asks_for_secrets, kinds, starts'

/** Servers that only the date filter distinguishes. */
type Group = {
  readonly key: readonly SQLOutputValue[]
  readonly sourceId: string
  readonly status: string
  readonly proof: NamespaceProof
  readonly asksForSecrets: boolean
  readonly kinds: readonly string[]
  /** The kinds whose packages can start here. */
  readonly starts: readonly string[]
  /** Servers updated within the date filter, */
  readonly count: number
  /** and within each of its choices. */
  readonly month: number
  readonly year: number
}

type Facet = 'kinds' | 'runners' | 'secrets' | 'namespaces' | 'statuses' | 'updated' | 'sources'
type Test = (group: Group) => boolean

/** The servers that a filter leaves, and the counts of its choices. */
type Filtered = {
  /** The `COMMON` values that pass, as JSON; undefined if all do. */
  readonly passing: string | undefined
  readonly total: number
  readonly facets: FacetCounts
}

/** Condition for servers of the passing groups, with their JSON as its value. */
const PASSES = `(${COMMON}) IN (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?))`

/** Filters the servers of `scope` (an SQL condition), and counts what each choice would leave with the other filters unchanged. */
function filterGroups(
  reader: DatabaseSync,
  scope: string,
  { filter = {}, runnersHere = filter.runners ?? [], recent }: CatalogQuery,
): Filtered {
  const { updatedSince = 0 } = filter
  const groups = reader
    .prepare(
      `SELECT ${COMMON}, (SELECT base_url FROM source WHERE source.source_id = server.source_id) AS base_url,
         count(*) FILTER (WHERE coalesce(updated_at, 0) >= ?) AS count,
         count(*) FILTER (WHERE coalesce(updated_at, 0) >= ?) AS month,
         count(*) FILTER (WHERE coalesce(updated_at, 0) >= ?) AS year
       FROM server INDEXED BY server_by_facets WHERE ${scope} GROUP BY ${COMMON}`,
    )
    .all(updatedSince, recent?.month ?? Infinity, recent?.year ?? Infinity)
    .map(toGroup)
  const tests = testsOf(filter)
  const passing = (facet?: Facet): Group[] =>
    groups.filter((group) => tests.every(([of, test]) => of === facet || test(group)))
  const count = (facet: Facet, test: Test): number => sum(passing(facet).filter(test))
  const each = <T extends string>(choices: readonly T[], of: (choice: T) => number) =>
    Object.fromEntries(choices.map((choice) => [choice, of(choice)])) as Record<T, number>
  const remaining = passing()
  return {
    passing: tests.length === 0 ? undefined : JSON.stringify(remaining.map(({ key }) => key)),
    total: sum(remaining),
    facets: {
      kinds: each(ListedKind.options, (kind) =>
        count('kinds', ({ kinds }) => kinds.includes(kind)),
      ),
      runsHere: count('runners', runBy(runnersHere)),
      asksForSecrets: count('secrets', ({ asksForSecrets }) => asksForSecrets),
      asksForNone: count('secrets', ({ asksForSecrets }) => !asksForSecrets),
      namespaces: each(NamespaceProof.options, (proof) =>
        count('namespaces', (group) => group.proof === proof),
      ),
      statuses: each(ListedStatus.options, (status) =>
        count('statuses', (group) => group.status === status),
      ),
      updated: { month: sum(remaining, 'month'), year: sum(remaining, 'year') },
      sources: countSources(passing('sources')),
    },
  }
}

function toGroup(row: Record<string, SQLOutputValue>): Group {
  const { source_id, status, namespace, asks_for_secrets, kinds, starts, base_url } = row
  const proof = namespace === 'github' ? 'github' : 'domain'
  return {
    key: [source_id, status, namespace, asks_for_secrets, kinds, starts].map((one) => one ?? null),
    sourceId: String(source_id),
    status: String(status),
    proof: checksNamespaces(String(base_url)) ? proof : 'none',
    asksForSecrets: asks_for_secrets === 1,
    kinds: String(kinds).split(' '),
    starts: String(starts).split(' '),
    ...{ count: Number(row.count), month: Number(row.month), year: Number(row.year) },
  }
}

/** A test for each active part of the filter; the date is part of the counts. */
function testsOf(filter: CatalogFilter): (readonly [Facet, Test])[] {
  const { kinds, runners, asksForSecrets, namespaces, statuses, sourceIds } = filter
  const tests: (readonly [Facet, Test])[] = []
  if (kinds?.length)
    tests.push(['kinds', (group) => kinds.some((kind) => group.kinds.includes(kind))])
  if (runners) tests.push(['runners', runBy(runners)])
  if (asksForSecrets !== undefined)
    tests.push(['secrets', (group) => group.asksForSecrets === asksForSecrets])
  if (namespaces?.length) tests.push(['namespaces', ({ proof }) => namespaces.includes(proof)])
  if (statuses?.length)
    tests.push(['statuses', ({ status }) => statuses.some((one) => one === status)])
  if (sourceIds?.length) tests.push(['sources', ({ sourceId }) => sourceIds.includes(sourceId)])
  return tests
}

/** Whether these runners, or Patchbay itself for bundles, can start the server here; false for remotes. */
function runBy(runners: readonly RunnerName[]): Test {
  const names: readonly string[] = runners
  const isRun = (kind: string): boolean =>
    kind === 'bundle' || names.includes(runnerOfKind(kind === 'docker' ? 'oci' : kind) ?? '')
  return ({ starts }) => starts.some(isRun)
}

function countSources(groups: readonly Group[]): FacetCounts['sources'] {
  const bySource = Map.groupBy(groups, ({ sourceId }) => sourceId)
  const counts = [...bySource].map(([sourceId, some]) => [sourceId, sum(some)] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

function sum(groups: readonly Group[], of: 'count' | 'month' | 'year' = 'count'): number {
  return groups.reduce((all, group) => all + group[of], 0)
}
