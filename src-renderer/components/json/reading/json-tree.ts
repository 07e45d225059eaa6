import type { JsonKind, JsonNodes } from './json-nodes'

/** One line of a tree of JSON. */
export type JsonRow = {
  /** Its value, by number. */
  readonly node: number
  /** From 1. */
  readonly level: number
  readonly kind: JsonKind
  /** Its name or, in an array, its place; missing of the first row. Long names are cut. */
  readonly key?: string
  /** Of a value without others in it, as it was written; long ones are cut. */
  readonly text: string
  readonly isCut: boolean
  /** How many values are directly in it. */
  readonly count: number
  readonly isOpen: boolean
  /** From 0, and of how many. */
  readonly place: number
  readonly of: number
}

/** Most rows of a tree that are shown at once: a page cannot be higher than that. */
export const MOST_ROWS = 1_000_000
/** What is shown of a text or a key in its row, in UTF-16 units. */
export const ROW_TEXT = 240
const ROW_KEY = 120
/** As many rows as a user sees at one glance. */
const FIRST_ROWS = 40
/** What may be opened with one key. */
const MOST_OPENED = 2_000

/** Which values are open, and the rows that this makes. */
export class JsonTree {
  readonly #nodes: JsonNodes
  readonly #root: number
  readonly #rootLevel: number
  readonly #open = new Set<number>()
  #rows: number[] = []

  /** Opens what lies highest, as far as it fits a glance. */
  constructor(nodes: JsonNodes, root: number) {
    this.#nodes = nodes
    this.#root = root
    this.#rootLevel = this.#depthOf(root)
    this.#openFirst()
    this.#make()
  }

  /** How many rows are shown. */
  get count(): number {
    return Math.min(this.#rows.length, MOST_ROWS)
  }

  /** Whether there are more rows than can be shown. */
  get isCut(): boolean {
    return this.#rows.length > MOST_ROWS
  }

  /** The rows from one to before another. */
  rows(from: number, to: number): JsonRow[] {
    return this.#rows
      .slice(Math.max(0, from), Math.min(to, this.count))
      .map((node) => this.#row(node))
  }

  /** The value of a row. */
  nodeOf(row: number): number | undefined {
    return row < this.count ? this.#rows[row] : undefined
  }

  /** The row of a value; undefined where it is not shown. Rows stand in the order of their numbers. */
  rowOf(node: number): number | undefined {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#rows[middle] ?? 0) < node) low = middle + 1
      else high = middle
    }
    return this.#rows[low] === node && low < this.count ? low : undefined
  }

  /** Opens or closes the value of a row. */
  setOpen(row: number, isOpen: boolean): void {
    const node = this.nodeOf(row)
    if (node === undefined || !this.#canOpen(node)) return
    if (isOpen) this.#open.add(node)
    else this.#open.delete(node)
    this.#make()
  }

  /** Opens all that stands beside a row, and the row itself; returns where the row is then. */
  openBeside(row: number): number {
    const node = this.nodeOf(row)
    if (node === undefined) return row
    const holder = this.#nodes.parents[node] ?? -1
    const beside = node === this.#root ? [node] : this.#nodes.childrenOf(holder)
    let opened = 0
    for (const one of beside) {
      if (!this.#canOpen(one) || this.#open.has(one)) continue
      this.#open.add(one)
      opened += 1
      if (opened >= MOST_OPENED) break
    }
    this.#make()
    return this.rowOf(node) ?? row
  }

  /** Opens all that a value lies in; returns its row, or undefined where it is behind the last one. */
  reveal(node: number): number | undefined {
    for (let at = node; at !== this.#root && at > 0;) {
      at = this.#nodes.parents[at] ?? 0
      this.#open.add(at)
    }
    this.#make()
    return this.rowOf(node)
  }

  /** The row of what a row lies in. */
  holderRow(row: number): number | undefined {
    const node = this.nodeOf(row)
    return node === undefined || node === this.#root
      ? undefined
      : this.rowOf(this.#nodes.parents[node] ?? 0)
  }

  /** The next row whose name or text begins with this, any case, from `from` on and around; undefined where there is none. */
  rowThatBegins(beginning: string, from: number): number | undefined {
    const wanted = beginning.toLowerCase()
    for (let step = 0; step < this.count; step += 1) {
      const row = (from + step) % this.count
      const node = this.nodeOf(row)
      if (node !== undefined && this.#nameOf(node).toLowerCase().startsWith(wanted)) return row
    }
    return undefined
  }

  #nameOf(node: number): string {
    return (
      this.#nodes.keyOf(node) ?? this.#nodes.stringAt(node)?.slice(0, ROW_TEXT) ?? this.#text(node)
    )
  }

  #text(node: number): string {
    const { starts, ends, text } = this.#nodes
    const start = starts[node] ?? 0
    return text.slice(start, Math.min(ends[node] ?? 0, start + ROW_TEXT))
  }

  #row(node: number): JsonRow {
    const { kinds, counts, starts, ends } = this.#nodes
    const kind = kinds[node] ?? 'null'
    const isHolder = kind === 'object' || kind === 'array'
    return {
      node,
      level: this.#depthOf(node) - this.#rootLevel + 1,
      kind,
      text: isHolder ? '' : this.#text(node),
      isCut: !isHolder && (ends[node] ?? 0) - (starts[node] ?? 0) > ROW_TEXT,
      count: counts[node] ?? 0,
      isOpen: this.#open.has(node),
      ...this.#placeOf(node),
    }
  }

  #placeOf(node: number): Pick<JsonRow, 'key' | 'place' | 'of'> {
    if (node === this.#root) return { place: 0, of: 1 }
    const { places, counts, parents } = this.#nodes
    const place = places[node] ?? 0
    const key = cut(this.#nodes.keyOf(node) ?? String(place), ROW_KEY)
    return { key, place, of: counts[parents[node] ?? 0] ?? 1 }
  }

  #depthOf(node: number): number {
    let depth = 0
    for (let at = node; at > 0; at = this.#nodes.parents[at] ?? 0) depth += 1
    return depth
  }

  #canOpen(node: number): boolean {
    return (this.#nodes.counts[node] ?? 0) > 0
  }

  #openFirst(): void {
    let rows = 1
    // The queue grows while it is gone through: level after level.
    const queue = [this.#root]
    for (const node of queue) {
      const count = this.#nodes.counts[node] ?? 0
      const fits = rows + count <= FIRST_ROWS
      if (count === 0 || (!fits && node !== this.#root)) continue
      this.#open.add(node)
      rows += count
      if (fits) queue.push(...this.#nodes.childrenOf(node))
    }
  }

  #make(): void {
    const { sizes } = this.#nodes
    const rows: number[] = []
    const end = this.#root + (sizes[this.#root] ?? 0)
    for (let node = this.#root; node < end && rows.length <= MOST_ROWS;) {
      rows.push(node)
      node += this.#open.has(node) ? 1 : (sizes[node] ?? 1)
    }
    this.#rows = rows
  }
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
