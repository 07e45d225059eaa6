import {
  type CatalogFilter,
  type CatalogQuery,
  type FacetCounts,
  ListedKind,
  NamespaceProof,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type { RunnerName } from '../../../../src-shared/domain/runner-name'
import { runnerOfKind } from '../../../../src-shared/domain/server-json/preferred-offer'
import { kindBit, proofBit, type ServerColumns, startBit, TRAIT } from './server-columns'

/** Filters that are counted on their own: each facet shows what it would give with all the others as they are. */
const GROUP = {
  kinds: 1,
  runners: 2,
  secrets: 4,
  namespaces: 8,
  statuses: 16,
  updated: 32,
  sources: 64,
  rest: 128,
} as const
const ALL_GROUPS = 256

/** How lately a server was updated, as bits next to its traits. */
const SINCE = { month: 1 << 15, year: 1 << 16 } as const

/** The servers that a filter leaves, and what its choices would leave. */
export type Filtered = { readonly slots: Int32Array; readonly facets: FacetCounts }

/** Filters the slots that a text matches (all without `scores`) and counts the facets in one pass. */
export function filterSlots(
  columns: ServerColumns,
  scores: Uint16Array | undefined,
  { filter = {}, runnersHere = filter.runners ?? [], recent }: CatalogQuery,
  /** The only slots that are asked for, where some are named. */
  among?: ReadonlyMap<number, number>,
): Filtered {
  const checks = checksOf(columns, filter)
  if (among) checks.push({ group: GROUP.rest, passes: (_, slot) => among.has(slot) })
  const sinceOf = sinceBy(columns, recent)
  const facets = new FacetCount(columns, kindsRunBy(runnersHere))
  const slots = new Int32Array(columns.size)
  let count = 0
  for (let slot = 0; slot < columns.size; slot += 1) {
    if (scores?.[slot] === 0) continue
    const trait = columns.traits[slot] ?? 0
    let failed = 0
    for (const { group, passes } of checks) if (!passes(trait, slot)) failed |= group
    if (failed === 0) {
      slots[count] = slot
      count += 1
    }
    facets.add(trait | sinceOf(slot), failed, slot)
  }
  return { slots: slots.subarray(0, count), facets: facets.counts() }
}

function sinceBy(
  { updated }: ServerColumns,
  recent: CatalogQuery['recent'],
): (slot: number) => number {
  if (recent === undefined) return () => 0
  const [month, year] = [recent.month / 1000, recent.year / 1000]
  return (slot) => {
    const at = updated[slot] ?? 0
    return (at >= month ? SINCE.month : 0) | (at >= year ? SINCE.year : 0)
  }
}

type Check = {
  readonly group: number
  readonly passes: (trait: number, slot: number) => boolean
}

/** One check for each part of the filter that leaves out something. */
function checksOf(columns: ServerColumns, filter: CatalogFilter): Check[] {
  const { updated, sources } = columns
  const { asksForSecrets, updatedSince } = filter
  const checks: Check[] = []
  const wants = (group: number, bits: number, isThere = true) =>
    checks.push({ group, passes: (trait) => has(trait, bits) === isThere })
  if (filter.kinds?.length) wants(GROUP.kinds, bitsOf(filter.kinds, kindBit))
  if (filter.runners) wants(GROUP.runners, kindsRunBy(filter.runners))
  if (asksForSecrets !== undefined) wants(GROUP.secrets, TRAIT.secrets, asksForSecrets)
  if (filter.namespaces?.length) wants(GROUP.namespaces, bitsOf(filter.namespaces, proofBit))
  const status = onlyChoice(filter.statuses)
  if (status) wants(GROUP.statuses, TRAIT.deprecated, status === 'deprecated')
  if (updatedSince !== undefined) {
    const since = updatedSince / 1000
    checks.push({ group: GROUP.updated, passes: (_, slot) => (updated[slot] ?? 0) >= since })
  }
  if (filter.sourceIds?.length) {
    const wanted = new Set(filter.sourceIds)
    checks.push({ group: GROUP.sources, passes: (_, slot) => wanted.has(sources[slot] ?? '') })
  }
  return checks
}

/** One choice of a filter: what it is in, and which trait it wants to be there or not. */
type Facet = {
  readonly group: number
  readonly bits: number
  readonly isThere: boolean
}

/** Counts what each choice would leave: a server counts for a facet when no other filter leaves it out. */
class FacetCount {
  readonly #facets: readonly Facet[]
  /** Servers by their traits and what they fail at, which are few different ones. */
  readonly #alike = new Map<number, number>()
  readonly #sources: readonly string[]
  readonly #ofSources = new Map<string, number>()
  /** Servers of one source lie in long rows; each row is noted once. */
  #row = { sourceId: '', count: 0 }

  constructor({ sources }: ServerColumns, here: number) {
    this.#sources = sources
    const pair = (group: number, bits: number) =>
      [true, false].map((isThere) => ({ group, bits, isThere }))
    this.#facets = [
      { group: GROUP.runners, bits: here, isThere: true },
      ...pair(GROUP.secrets, TRAIT.secrets),
      ...pair(GROUP.statuses, TRAIT.deprecated),
      ...[SINCE.month, SINCE.year].map((bits) => ({ group: GROUP.updated, bits, isThere: true })),
      ...NamespaceProof.options.map((proof) => ({
        ...{ group: GROUP.namespaces, bits: proofBit(proof), isThere: true },
      })),
      ...ListedKind.options.map((kind) => ({
        ...{ group: GROUP.kinds, bits: kindBit(kind), isThere: true },
      })),
    ]
  }

  add(trait: number, failed: number, slot: number): void {
    if ((failed & ~GROUP.sources) === 0) {
      const sourceId = this.#sources[slot] ?? ''
      if (sourceId !== this.#row.sourceId) this.#endRow(sourceId)
      this.#row.count += 1
    }
    const key = trait * ALL_GROUPS + failed
    this.#alike.set(key, (this.#alike.get(key) ?? 0) + 1)
  }

  #endRow(next: string): void {
    const { sourceId, count } = this.#row
    if (count > 0) this.#ofSources.set(sourceId, (this.#ofSources.get(sourceId) ?? 0) + count)
    this.#row = { sourceId: next, count: 0 }
  }

  #count({ group, bits, isThere }: Facet): number {
    let count = 0
    for (const [key, servers] of this.#alike) {
      const failed = key % ALL_GROUPS
      const trait = Math.floor(key / ALL_GROUPS)
      if ((failed & ~group) === 0 && has(trait, bits) === isThere) count += servers
    }
    return count
  }

  counts(): FacetCounts {
    const [runsHere = 0, asksForSecrets = 0, asksForNone = 0, ...others] = this.#facets.map(
      (facet) => this.#count(facet),
    )
    const [deprecated = 0, active = 0, month = 0, year = 0, ...counted] = others
    const [domain = 0, github = 0, none = 0, ...ofKinds] = counted
    this.#endRow('')
    const kinds = ListedKind.options.map((kind, index) => [kind, ofKinds[index] ?? 0] as const)
    return {
      kinds: Object.fromEntries(kinds) as FacetCounts['kinds'],
      ...{ runsHere, asksForSecrets, asksForNone },
      namespaces: { domain, github, none },
      statuses: { active, deprecated },
      updated: { month, year },
      sources: Object.fromEntries(this.#ofSources),
    }
  }
}

function has(trait: number, bits: number): boolean {
  return (trait & bits) !== 0
}

function bitsOf<T>(choices: readonly T[], bitOf: (choice: T) => number): number {
  return choices.reduce((all, choice) => all | bitOf(choice), 0)
}

/** The kinds that these runners start here, and bundles, which Patchbay starts itself; it connects to no remote. */
function kindsRunBy(runners: readonly RunnerName[]): number {
  const names: readonly string[] = runners
  const run = ListedKind.options.filter((kind) => {
    const runner = runnerOfKind(kind === 'docker' ? 'oci' : kind)
    return runner !== undefined && names.includes(runner)
  })
  return bitsOf([...run, 'bundle' as const], startBit)
}

/** The one choice of a pair; both, like none, leave out nothing. */
function onlyChoice<T>(choices: readonly T[] | undefined): T | undefined {
  const unique = new Set(choices)
  return unique.size === 1 ? [...unique][0] : undefined
}
