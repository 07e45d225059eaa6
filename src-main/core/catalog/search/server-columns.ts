import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'

import { ListedKind, NamespaceProof } from '../../../../src-shared/domain/catalog/catalog-query'
import { STARTER_SOURCE } from '../../../../src-shared/domain/catalog/listed-ref'
import { checksNamespaces } from '../../../../src-shared/domain/catalog/official-registry'
import { hostLength } from './fold'

const KIND_BITS: ReadonlyMap<string, number> = new Map(
  ListedKind.options.map((kind, index) => [kind, 1 << index]),
)

/** The bit of a kind in `traits`. */
export function kindBit(kind: ListedKind): number {
  return KIND_BITS.get(kind) ?? 0
}

/** The bit of what is proved of a namespace in `traits`, above `TRAIT`; each server has one of them. */
export function proofBit(proof: NamespaceProof): number {
  return 1 << (12 + NamespaceProof.options.indexOf(proof))
}

/** The bit of a kind that can be started on this machine in `traits`, above all others. */
export function startBit(kind: ListedKind): number {
  return kindBit(kind) << 17
}

/** What a server is, as bits of `traits` above those of its kinds. */
export const TRAIT = {
  secrets: 1 << 8,
  github: 1 << 9,
  deprecated: 1 << 10,
  starter: 1 << 11,
} as const

/** Servers the columns can hold: their places are packed into the sort keys of results. */
export const MAX_SLOTS = 2 ** 20

/** Of a label. */
const NAME_LINE = 2
const OWNER_LINE = 3
const DAY_S = 24 * 60 * 60

/** The labels behind each other, and where each starts; the last start is the end of all. */
export type LabelText = { readonly text: string; readonly starts: Int32Array }

const SELECT = `SELECT server.id, label, kinds, asks_for_secrets, namespace, status, updated_at, published_at,
  source_id, base_url, starts FROM server JOIN source USING (source_id) WHERE source.enabled = 1`

/**
 * What is compared for every server at every keystroke, in memory: one place ("slot") for each server of the
 * sources that are switched on. All else stays in the file until a page is shown. Empty until `reload`.
 */
export class ServerColumns {
  readonly ids: number[] = []
  readonly labels: string[] = []
  /** Who publishes it: the line of the label behind short name, title and full name. */
  readonly owners: string[] = []
  /** Where the short name ends in the label. */
  readonly shorts: number[] = []
  /** Where the title behind it does. */
  readonly heads: number[] = []
  /** Where the host of the full name behind that does. */
  readonly hosts: number[] = []
  readonly traits: number[] = []
  /** Epoch seconds; 0 for unknown. */
  readonly updated: number[] = []
  /** Epoch seconds; 0 for unknown. */
  readonly published: number[] = []
  readonly sources: string[] = []
  /** Texts that many servers share are one and the same, which is compared at once. */
  readonly #shared = new Map<string, string>()
  readonly #slots = new Map<number, number>()
  readonly #reader: DatabaseSync
  /** Epoch seconds: nothing is updated later than that, except by a clock that is wrong. */
  #latest = 0
  #text: LabelText | undefined
  #names: { readonly ranks: Int32Array; readonly slots: Int32Array } | undefined

  constructor(reader: DatabaseSync) {
    this.#reader = reader
  }

  get size(): number {
    return this.ids.length
  }

  /** The place of a row; undefined for one of a source that is switched off. */
  slotOf(id: number): number | undefined {
    return this.#slots.get(id)
  }

  reload(): void {
    for (const column of this.#columns()) column.length = 0
    this.#slots.clear()
    this.#shared.clear()
    for (const row of this.#rows(SELECT)) this.#put(row)
    this.#changed()
  }

  /** Reads these rows again: they are new, different or gone. */
  refresh(ids: readonly number[]): void {
    const some = `${SELECT} AND server.id IN (SELECT value FROM json_each(?))`
    const found = new Set<unknown>()
    for (const row of this.#rows(some, JSON.stringify(ids))) {
      found.add(row[0])
      this.#put(row)
    }
    for (const id of ids) if (!found.has(id)) this.#drop(id)
    this.#changed()
  }

  /** All labels in one text: to look through that is twice as fast as to look into each of them. */
  text(): LabelText {
    this.#text ??= joined(this.labels)
    return this.#text
  }

  /** The order of names, of letters in either case: the rank of each slot, and the slot of each rank. */
  names(): { readonly ranks: Int32Array; readonly slots: Int32Array } {
    this.#names ??= this.#rank()
    return this.#names
  }

  #changed(): void {
    this.#names = undefined
    this.#text = undefined
  }

  #rank(): { ranks: Int32Array; slots: Int32Array } {
    const statement = this.#reader.prepare('SELECT id FROM server ORDER BY name COLLATE NOCASE')
    statement.setReturnArrays(true)
    const ranks = new Int32Array(this.size)
    const slots = new Int32Array(this.size)
    let rank = 0
    for (const [id] of statement.all() as unknown as number[][]) {
      const slot = this.#slots.get(id ?? 0)
      if (slot === undefined) continue
      ranks[slot] = rank
      slots[rank] = slot
      rank += 1
    }
    return { ranks, slots }
  }

  #columns(): unknown[][] {
    const { ids, labels, owners, shorts, heads, hosts, traits, updated, published, sources } = this
    return [ids, labels, owners, shorts, heads, hosts, traits, updated, published, sources]
  }

  /** As lists in the order of SELECT: with a name for each value it would take twice as long. */
  #rows(sql: string, ...values: readonly string[]): SQLOutputValue[][] {
    const statement = this.#reader.prepare(sql)
    statement.setReturnArrays(true)
    this.#latest = Math.floor(Date.now() / 1000) + DAY_S
    return statement.all(...values) as unknown as SQLOutputValue[][]
  }

  #put([rowId, text, kinds, asksForSecrets, namespace, status, ...rest]: SQLOutputValue[]): void {
    const [updatedAt, publishedAt, sourceId, baseUrl, starts] = rest
    const isGithub = namespace === 'github'
    const proof = isGithub ? 'github' : 'domain'
    const id = Number(rowId)
    const label = String(text)
    const slot = this.#slots.get(id) ?? this.ids.length
    if (slot >= MAX_SLOTS) return
    this.#slots.set(id, slot)
    this.ids[slot] = id
    this.labels[slot] = label
    const lines = label.split('\n', OWNER_LINE + 1)
    const short = label.indexOf('\n')
    const head = label.indexOf('\n', short + 1)
    this.shorts[slot] = short
    this.heads[slot] = head
    this.hosts[slot] = head + 1 + hostLength(lines[NAME_LINE] ?? '')
    this.owners[slot] = this.#share(lines[OWNER_LINE] ?? '')
    this.traits[slot] =
      bitsOfKinds(String(kinds)) |
      (bitsOfKinds(String(starts)) << 17) |
      (asksForSecrets === 1 ? TRAIT.secrets : 0) |
      proofBit(checksNamespaces(String(baseUrl)) ? proof : 'none') |
      (isGithub ? TRAIT.github : 0) |
      (status === 'deprecated' ? TRAIT.deprecated : 0) |
      (sourceId === STARTER_SOURCE ? TRAIT.starter : 0)
    this.updated[slot] = secondsOf(updatedAt, this.#latest)
    this.published[slot] = secondsOf(publishedAt, this.#latest)
    this.sources[slot] = this.#share(String(sourceId))
  }

  #share(text: string): string {
    const known = this.#shared.get(text) ?? text
    this.#shared.set(text, known)
    return known
  }

  /** The last one takes the place of the one that goes. */
  #drop(id: number): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    const last = this.ids.at(-1) ?? id
    for (const column of this.#columns()) {
      column[slot] = column.at(-1)
      column.pop()
    }
    this.#slots.set(last, slot)
    this.#slots.delete(id)
  }
}

/** Within bounds, because the sort keys have room for 32 bits. */
function secondsOf(epochMs: SQLOutputValue | undefined, latest: number): number {
  return Math.min(Math.max(Math.floor(Number(epochMs ?? 0) / 1000), 0), latest)
}

function joined(labels: readonly string[]): LabelText {
  const starts = new Int32Array(labels.length + 1)
  let start = 0
  for (const [slot, label] of labels.entries()) {
    starts[slot] = start
    start += label.length + 1
  }
  starts[labels.length] = start
  return { text: labels.join('\n'), starts }
}

function bitsOfKinds(kinds: string): number {
  let bits = 0
  for (const kind of kinds.split(' ')) bits |= KIND_BITS.get(kind) ?? 0
  return bits
}
