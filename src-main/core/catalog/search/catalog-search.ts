import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'

import type {
  CatalogPage,
  CatalogQuery,
  CatalogSort,
  ListedKind,
  ListedServer,
} from '../../../../src-shared/domain/catalog/catalog-query'
import type { ListedRef } from '../../../../src-shared/domain/catalog/listed-ref'
import { checksNamespaces } from '../../../../src-shared/domain/catalog/official-registry'
import { filterSlots } from './filter-slots'
import { TextMatcher } from './match-text'
import { MAX_SLOTS, ServerColumns, TRAIT } from './server-columns'

const LEAST_KEPT = 500

/** The smallest of many numbers, in their order: nearly all of them are only compared with the largest of these. */
export function smallest(numbers: Float64Array, count: number): Float64Array {
  const kept = new Float64Array(2 * count + LEAST_KEPT)
  let size = 0
  let largest = Number.POSITIVE_INFINITY
  for (const number of numbers) {
    if (number >= largest) continue
    kept[size] = number
    size += 1
    if (size < kept.length) continue
    kept.sort()
    size = count
    largest = kept[count - 1] ?? largest
  }
  return kept.subarray(0, size).sort().subarray(0, count)
}

const PAGE = 50
/** Above every score and every second of the sort keys' upper half. */
const TOP = 2 ** 32

/** Answers searches: what is compared at each keystroke lies in memory, the rest is read for the page shown. */
export class CatalogSearch {
  readonly #columns: ServerColumns
  readonly #matcher: TextMatcher
  readonly #page: StatementSync
  readonly #named: StatementSync
  /** Whether the columns are to be read whole: that takes long, so it waits until somebody searches. */
  #isBehind = true

  constructor(reader: DatabaseSync) {
    this.#columns = new ServerColumns(reader)
    this.#matcher = new TextMatcher(this.#columns, reader)
    this.#named = reader.prepare('SELECT id FROM server WHERE source_id = ? AND name = ?')
    this.#page = reader.prepare(
      `SELECT server.*, base_url FROM json_each(?) AS wanted JOIN server ON server.id = wanted.value
       JOIN source USING (source_id) ORDER BY wanted.key`,
    )
  }

  /** Takes over what was committed to these rows. */
  refresh(ids: readonly number[]): void {
    if (this.#isBehind) return
    this.#columns.refresh(ids)
    this.#matcher.forget()
  }

  /** Takes over what was committed, whatever it was. */
  reload(): void {
    this.#isBehind = true
  }

  /** Reads beforehand what the first word would have to wait for. */
  prepare(): void {
    this.search({ text: 'a', limit: 1 })
    this.#matcher.prepare()
  }

  search(query: CatalogQuery): CatalogPage {
    if (this.#isBehind) this.#catchUp()
    const { offset = 0, limit = PAGE, filter = {} } = query
    const match = this.#matcher.match(query.text)
    const among = filter.among && this.#slotsOf(filter.among)
    const { slots, facets } = filterSlots(this.#columns, match?.scores, query, among)
    const sorted = this.#sort(slots, query.sort ?? 'relevance', match?.scores, among)
    const ids = sorted(offset, offset + limit).map((slot) => this.#columns.ids[slot])
    return {
      servers: this.#page.all(JSON.stringify(ids)).map(toListedServer),
      total: slots.length,
      facets,
      corrections: match?.corrections ?? [],
      isPartial: match?.isPartial ?? false,
    }
  }

  #catchUp(): void {
    this.#columns.reload()
    this.#matcher.forget()
    this.#isBehind = false
  }

  /** The places of named servers, with the place of each in the list of names. */
  #slotsOf(refs: readonly ListedRef[]): Map<number, number> {
    const found = refs.map(({ sourceId, name }, place) => {
      const id = this.#named.get(sourceId, name)?.id
      return [typeof id === 'number' ? this.#columns.slotOf(id) : undefined, place] as const
    })
    return new Map(found.flatMap(([slot, place]) => (slot === undefined ? [] : [[slot, place]])))
  }

  /**
   * Sorts by one number for each slot: what it is sorted by above, its place in the order of names or among
   * the slots below. A list of plain numbers is sorted many times faster than one with a comparison. Gives a
   * part of the result by its bounds.
   */
  #sort(
    slots: Int32Array,
    sort: CatalogSort,
    scores: Uint16Array | undefined,
    among: ReadonlyMap<number, number> | undefined,
  ): (from: number, to: number) => number[] {
    const isByName = sort === 'name' || (sort === 'relevance' && scores !== undefined)
    const names = isByName ? this.#columns.names() : undefined
    const upper = this.#upperOf(sort, scores, among)
    const keys = new Float64Array(slots.length)
    for (let index = 0; index < slots.length; index += 1) {
      const slot = slots[index] ?? 0
      keys[index] = upper(slot) * MAX_SLOTS + (names?.ranks[slot] ?? slot)
    }
    return (from, to) =>
      Array.from(smallest(keys, to).subarray(from), (key) => {
        const place = key % MAX_SLOTS
        return names?.slots[place] ?? place
      })
  }

  #upperOf(
    sort: CatalogSort,
    scores: Uint16Array | undefined,
    among: ReadonlyMap<number, number> | undefined,
  ): (slot: number) => number {
    const { updated, published, traits } = this.#columns
    if (sort === 'name') return () => 0
    if (sort === 'published') return (slot) => TOP - (published[slot] ?? 0)
    if (sort === 'relevance' && scores) return (slot) => TOP - (scores[slot] ?? 0)
    if (sort === 'relevance' && among) return (slot) => among.get(slot) ?? 0
    const first = sort === 'relevance' ? TRAIT.starter : 0
    return (slot) => (((traits[slot] ?? 0) & first) === 0 ? TOP - (updated[slot] ?? 0) : 0)
  }
}

/** A row of the servers' table with its source's `base_url`, as a list shows it. */
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
