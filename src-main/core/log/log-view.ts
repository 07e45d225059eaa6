import { setImmediate as nextTurn } from 'node:timers/promises'

import { LOG_LEVELS } from '../../../src-shared/domain/running/log-limits'
import type { LogQuery, LogRow } from '../../../src-shared/domain/running/log-query'
import { type LogBlock, type LogStore, lowerBound } from './log-store'

type LineFilter = Omit<LogQuery, 'servers'>
type Test = (block: LogBlock, index: number) => boolean

/** A line of a view: its place among all lines, and which log of the view it is of, as one number. Lines are in the order in which they came. */
type ViewLine = number

/** So many lines are looked at before other work gets its turn: a few ms. */
const LINES_AT_ONCE = 100_000

/**
 * The lines that a query lets through, of one log or of several as one, in the order in which they came. A row counts
 * them from 0, those too that are no longer held; what came since is taken in by `update`.
 */
export class LogView {
  /** Those that are held, in order. */
  #lines: ViewLine[] = []
  /** What came since, log after log. */
  readonly #came: ViewLine[] = []
  #gone = 0
  /** After the index of the last line of each log that was looked at, and the index of the first that was held then. */
  readonly #seen: number[]
  #firsts: readonly number[]
  readonly #passes: Test
  /** Whether lines of any kind pass, so that numbers which are missing tell of lines that were lost. */
  readonly #isWhole: boolean

  constructor(
    /** Differs between all views of a run. */
    readonly viewId: number,
    readonly stores: readonly LogStore[],
    filter: LineFilter,
  ) {
    this.#seen = stores.map(() => 0)
    this.#firsts = stores.map(() => 0)
    this.#passes = testOf(filter)
    this.#isWhole = filter.level === 'debug' && filter.source === undefined
  }

  /** The oldest row that is held. */
  get first(): number {
    return this.#gone
  }

  /** After the newest row. */
  get end(): number {
    return this.#gone + this.#lines.length
  }

  /** Takes in what came, and lets go of what is no longer held. */
  update(): void {
    for (const [server, store] of this.stores.entries()) this.#scan(store, server)
    const came = this.#came.splice(0)
    for (const line of this.stores.length > 1 ? sorted(came) : came) this.#lines.push(line)
    this.#letGo()
  }

  /** The same for logs of which much may have come: other work gets its turn meanwhile. */
  async catchUp(): Promise<void> {
    await this.#inTurns((store, server) => this.#scan(store, server))
    this.update()
  }

  /** The lines that are so; other work gets its turn meanwhile. */
  async landmarks(isIt: Test): Promise<ViewLine[]> {
    const found: ViewLine[] = []
    await this.#inTurns((store, server) => {
      for (const block of store.blocks)
        for (let index = block.from; index < block.from + block.count; index += 1)
          if (isIt(block, index)) found.push(this.lineOf(server, block, index))
      return store.end - store.first
    })
    this.update()
    return this.held(sorted(found))
  }

  /** The rows from `from` on that are held, at most `count`. */
  rows(from: number, count: number): LogRow[] {
    const start = Math.max(from - this.#gone, 0)
    const end = Math.max(from + count - this.#gone, 0)
    return this.#lines.slice(start, end).flatMap((line, at) => {
      const server = line % this.stores.length
      const store = this.stores[server]
      if (!store) return []
      const index = store.indexOf(Math.floor(line / this.stores.length))
      const missing = this.#isWhole ? store.missingBefore(index) : 0
      const { entry } = store.blockOf(index).line(index)
      return [{ row: this.#gone + start + at, server, entry, missing }]
    })
  }

  /** The line of a row: less than any before the first, and the newest after the last. */
  lineAt(row: number): ViewLine {
    return this.#lines[Math.min(row, this.end - 1) - this.#gone] ?? -1
  }

  lineOf(server: number, block: LogBlock, index: number): ViewLine {
    return block.placeOf(index) * this.stores.length + server
  }

  /** The row of a line, when it passes and is held. */
  rowOf(line: ViewLine): number | undefined {
    const rank = lowerBound(this.#lines.length, (at) => (this.#lines[at] ?? 0) >= line)
    return this.#lines[rank] === line ? this.#gone + rank : undefined
  }

  /** Of these lines those that pass and are held. */
  held(lines: readonly ViewLine[]): ViewLine[] {
    return lines.filter((line) => this.rowOf(line) !== undefined)
  }

  /** After the index of the last line of a log that was looked at. */
  seenOf(server: number): number {
    return this.#seen[server] ?? 0
  }

  /** Returns how many lines it looked at. */
  #scan({ first, end, blocks }: LogStore, server: number): number {
    const from = Math.max(this.seenOf(server), first)
    for (const block of blocks) {
      const blockEnd = block.from + block.count
      for (let index = Math.max(from, block.from); index < blockEnd; index += 1)
        if (this.#passes(block, index)) this.#came.push(this.lineOf(server, block, index))
    }
    this.#seen[server] = end
    return end - from
  }

  #letGo(): void {
    const firsts = this.stores.map(({ first }) => first)
    if (firsts.every((first, server) => first === this.#firsts[server])) return
    this.#firsts = firsts
    const places = this.stores.map((store) => store.firstPlace)
    const { length } = this.stores
    const before = this.#lines.length
    this.#lines = this.#lines.filter(
      (line) => Math.floor(line / length) >= (places[line % length] ?? 0),
    )
    this.#gone += before - this.#lines.length
  }

  /** Does `work` on each log; it returns how many lines it looked at. */
  async #inTurns(work: (store: LogStore, server: number) => number): Promise<void> {
    let lines = 0
    for (const [server, store] of this.stores.entries()) {
      if (lines >= LINES_AT_ONCE) {
        lines = 0
        await nextTurn()
      }
      lines += work(store, server)
    }
  }
}

/** Lines in the order in which they came. */
export function sorted(lines: readonly ViewLine[]): ViewLine[] {
  return [...Float64Array.from(lines).sort()]
}

function testOf({ level, source, since, until, after }: LineFilter): Test {
  const least = LOG_LEVELS.indexOf(level)
  const from = since ?? -Infinity
  const to = until ?? Infinity
  const later = after ?? -1
  return (block, index) =>
    block.levelOf(index) >= least &&
    (source === undefined || block.sourceOf(index) === source) &&
    block.timeOf(index) >= from &&
    block.timeOf(index) <= to &&
    block.placeOf(index) > later
}

/** `here` is the newest one up to the row, or else the first after it. */
export type Step = 'here' | 'next' | 'previous'

/**
 * The row of the line that is stepped to from a row, round the ends, of `lines` of the view, and how many of them stand
 * before it; undefined where there is none.
 */
export function stepTo(
  view: LogView,
  from: number,
  step: Step,
  lines: readonly ViewLine[],
): { readonly row: number; readonly before: number } | undefined {
  const line = view.lineAt(from)
  const least = step === 'previous' ? line : line + 1
  const after = lowerBound(lines.length, (at) => (lines[at] ?? 0) >= least)
  const wanted = step === 'next' ? after : after - 1
  const round = step === 'previous' ? lines.length - 1 : 0
  const before = wanted in lines ? wanted : round
  const row = view.rowOf(lines[before] ?? -1)
  return row === undefined ? undefined : { row, before }
}
