import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

import {
  type CatalogFilter,
  type CatalogQuery,
  type FacetCounts,
  ListedKind,
  ListedStatus,
  NamespaceProof,
} from '../../../../src-shared/domain/catalog/catalog-query'
import { checksNamespaces } from '../../../../src-shared/domain/catalog/official-registry'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import { runnerOfKind } from '../../../../src-shared/domain/server-json/preferred-offer'

/** What servers of one group have in common, in SQL. */
const COMMON = 'source_id, status, namespace, asks_for_secrets, kinds, starts'

/** Servers that no filter but that of the time tells apart. */
type Group = {
  readonly key: readonly SQLOutputValue[]
  readonly sourceId: string
  readonly status: string
  readonly proof: NamespaceProof
  readonly asksForSecrets: boolean
  readonly kinds: readonly string[]
  /** The kinds whose packages can be started here. */
  readonly starts: readonly string[]
  /** How many there are that were updated since the time that is filtered by, */
  readonly count: number
  /** and whenever, for the choices of that filter. */
  readonly month: number
  readonly year: number
}

type Facet = 'kinds' | 'runners' | 'secrets' | 'namespaces' | 'statuses' | 'updated' | 'sources'
type Test = (group: Group) => boolean

/** The servers that a filter leaves, and what its choices would leave. */
export type Filtered = {
  /** The values of `COMMON` that pass, as JSON; undefined where all do. */
  readonly passing: string | undefined
  readonly total: number
  readonly facets: FacetCounts
}

/** The condition for servers of the groups that pass, whose JSON is its value. */
export const PASSES = `(${COMMON}) IN (SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?))`

/**
 * Filters the servers of `scope` (a condition in SQL) and counts what each choice would leave, the other filters
 * being as they are.
 */
export function filterGroups(
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
  const left = passing()
  return {
    passing: tests.length === 0 ? undefined : JSON.stringify(left.map(({ key }) => key)),
    total: sum(left),
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
      updated: { month: sum(left, 'month'), year: sum(left, 'year') },
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

/** One test for each part of the filter that leaves out something; that of the time is in the counts. */
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

/** Whether these runners start it here, or Patchbay itself: bundles need none. It connects to no remote. */
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
