import { setImmediate as nextTurn } from 'node:timers/promises'

import { LOG_LEVELS } from '../../../src-shared/domain/running/log-limits'
import type { LogQuery, LogRow } from '../../../src-shared/domain/running/log-query'
import { type HeldLine, type LogBlock, type LogStore, lowerBound } from './log-store'

/** What a query asks of a line. */
type LineFilter = Omit<LogQuery, 'servers'>
type Test = (block: LogBlock, index: number) => boolean

/** So many lines are looked at before other work gets its turn: a few ms. */
const LINES_AT_ONCE = 100_000

/** The lines that a query lets through, of one log or of several as one, in the order in which they came. */
export class LogView {
  readonly logs: readonly FilteredLog[]
  readonly #isWhole: boolean

  constructor(
    /** Differs between all views of a run. */
    readonly viewId: number,
    stores: readonly LogStore[],
    filter: LineFilter,
  ) {
    this.logs = stores.map((store) => new FilteredLog(store, filter))
    this.#isWhole = isWhole(filter)
  }

  /** The oldest row that is held. */
  get first(): number {
    return sum(this.logs, ({ first }) => first)
  }

  /** After the newest row. */
  get end(): number {
    return sum(this.logs, ({ end }) => end)
  }

  /** Takes in what came. */
  update(): void {
    for (const log of this.logs) log.update()
  }

  /** The same for logs of which much may have come: other work gets its turn meanwhile. */
  async catchUp(): Promise<void> {
    await inTurns(this.logs, (log) => log.update())
    this.update()
  }

  /** The rows of each log whose lines are so; other work gets its turn meanwhile. */
  async landmarks(isIt: Test): Promise<Landmarks> {
    const found: number[][] = []
    await inTurns(this.logs, (log) => {
      log.update()
      found.push(log.rowsWhere(isIt))
      return log.end - log.first
    })
    this.update()
    return found
  }

  /** The rows from `from` on that are held, at most `count`. */
  rows(from: number, count: number): LogRow[] {
    const rows: LogRow[] = []
    const start = Math.max(from, this.first)
    const end = Math.min(from + count, this.end)
    if (start >= end) return rows
    const next = this.#positions(start)
    for (let row = start; row < end; row += 1) {
      const server = this.#earliest(next)
      const log = this.logs[server]
      if (!log) break
      const { entry, missing } = log.line(next[server] ?? 0)
      rows.push({ row, server, entry, missing: this.#isWhole ? missing : 0 })
      next[server] = (next[server] ?? 0) + 1
    }
    return rows
  }

  /** The row that a line of one of the logs has among all. */
  rowAmongAll(server: number, row: number): number {
    if (this.logs.length === 1) return row
    return this.#countUpTo(this.logs[server]?.placeOf(row) ?? -1) - 1
  }

  /** The place of a row; -1 before the first, and that of the newest after the last. */
  placeOf(row: number): number {
    const at = Math.min(row, this.end - 1)
    if (at < this.first) return -1
    const next = this.#positions(at)
    const server = this.#earliest(next)
    return this.logs[server]?.placeOf(next[server] ?? 0) ?? -1
  }

  /** How many rows have that place or an earlier one. */
  #countUpTo(place: number): number {
    return sum(this.logs, (log) => log.countUpTo(place))
  }

  /** Where each log stands when `row` is the next of all. */
  #positions(row: number): number[] {
    if (this.logs.length === 1) return [row]
    const newest = Math.max(
      ...this.logs.map((log) => (log.first < log.end ? log.placeOf(log.end - 1) : -1)),
    )
    const place = lowerBound(newest + 1, (at) => this.#countUpTo(at) > row)
    return this.logs.map((log) => log.countUpTo(place - 1))
  }

  /** The index of the log whose next line came first. */
  #earliest(next: readonly number[]): number {
    if (this.logs.length === 1) return 0
    let earliest = -1
    let least = Infinity
    for (const [index, log] of this.logs.entries()) {
      const row = next[index] ?? 0
      if (row >= log.end) continue
      const place = log.placeOf(row)
      if (place < least) [earliest, least] = [index, place]
    }
    return earliest
  }
}

/**
 * The lines of one log that a filter lets through. A row counts them from 0, those too that are no longer
 * held; what came since is taken in by `update`.
 */
export class FilteredLog {
  /** The indexes of those that are held, in order. */
  #indexes: number[] = []
  #gone = 0
  #seen = 0
  readonly #passes: Test

  constructor(
    readonly store: LogStore,
    filter: LineFilter,
  ) {
    this.#passes = testOf(filter)
  }

  /** The row of the oldest line that is held. */
  get first(): number {
    return this.#gone
  }

  /** After the row of the newest. */
  get end(): number {
    return this.#gone + this.#indexes.length
  }

  /** After the index of the last line that was looked at. */
  get seen(): number {
    return this.#seen
  }

  /** Takes in what came, lets go of what is no longer held, and returns how many lines it looked at. */
  update(): number {
    const { first, end, blocks } = this.store
    const gone = this.#rank(first)
    if (gone > 0) this.#indexes.splice(0, gone)
    this.#gone += gone
    this.#seen = Math.max(this.#seen, first)
    const from = this.#seen
    for (const block of blocks) {
      const blockEnd = block.from + block.count
      for (; this.#seen < blockEnd; this.#seen += 1)
        if (this.#passes(block, this.#seen)) this.#indexes.push(this.#seen)
    }
    this.#seen = end
    return end - from
  }

  /** How many rows, those too that are no longer held, have that place or an earlier one. */
  countUpTo(place: number): number {
    const count = lowerBound(this.#indexes.length, (at) => this.#placeOf(this.#indexes[at]) > place)
    return this.#gone + count
  }

  /** The line of a row that is held, and how many of its log are missing right before it. */
  line(row: number): HeldLine & { readonly missing: number } {
    const index = this.#indexes[row - this.#gone] ?? -1
    const line = this.store.blockOf(index).line(index)
    const isFirst = index === this.store.blocks[0]?.from
    const before = isFirst ? -1 : this.store.blockOf(index - 1).seqOf(index - 1)
    return { ...line, missing: line.entry.seq - before - 1 }
  }

  /** The place of a row that is held. */
  placeOf(row: number): number {
    return this.#placeOf(this.#indexes[row - this.#gone])
  }

  /** The row of a line, when it passes and is held. */
  rowOf(index: number): number | undefined {
    const rank = this.#rank(index)
    return this.#indexes[rank] === index ? this.#gone + rank : undefined
  }

  /** The rows whose lines are so. */
  rowsWhere(isIt: Test): number[] {
    const rows = this.#indexes.map((index, at) =>
      isIt(this.store.blockOf(index), index) ? this.#gone + at : -1,
    )
    return rows.filter((row) => row >= 0)
  }

  #placeOf(index = -1): number {
    return this.store.blockOf(index).placeOf(index)
  }

  /** How many that pass and are held stand before that line. */
  #rank(index: number): number {
    return lowerBound(this.#indexes.length, (at) => (this.#indexes[at] ?? 0) >= index)
  }
}

/** Does `work` on each log; it returns how many lines it looked at. */
async function inTurns(
  logs: readonly FilteredLog[],
  work: (log: FilteredLog) => number,
): Promise<void> {
  let lines = 0
  for (const log of logs) {
    if (lines >= LINES_AT_ONCE) {
      lines = 0
      await nextTurn()
    }
    lines += work(log)
  }
}

/** Whether lines of any kind pass, so that numbers which are missing tell of lines that were lost. */
function isWhole({ level, source }: LineFilter): boolean {
  return level === 'debug' && source === undefined
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

/** The rows of each log that are stepped to, in order; the first of them may be held no more. */
export type Landmarks = readonly (readonly number[])[]

/**
 * The row of the line that is stepped to from a row, round the ends, and how many of its kind stand before
 * it; undefined where there is none.
 */
export function stepTo(
  view: LogView,
  from: number,
  step: Step,
  landmarks: Landmarks,
): { readonly row: number; readonly before: number } | undefined {
  const place = view.placeOf(from)
  const after = (least: number) => nearest(view, landmarks, 1, least)
  const upTo = (most: number) => nearest(view, landmarks, -1, most)
  const found =
    step === 'next'
      ? (after(place) ?? after(-1))
      : step === 'previous'
        ? (upTo(place - 1) ?? upTo(Infinity))
        : (upTo(place) ?? after(place))
  if (!found) return undefined
  const before = countHeld(view, landmarks, found.place - 1)
  return { row: view.rowAmongAll(found.server, found.row), before }
}

/** How many of these rows are held, up to a place. */
export function countHeld(view: LogView, landmarks: Landmarks, place = Infinity): number {
  return sum([...view.logs.entries()], ([server, log]) => {
    const rows = landmarks[server] ?? []
    return rankOf(rows, log.countUpTo(place)) - rankOf(rows, log.first)
  })
}

/** The first one behind a place, or for -1 the last one up to it, of those of all logs. */
function nearest(view: LogView, landmarks: Landmarks, way: 1 | -1, place: number) {
  let found: { server: number; row: number; place: number } | undefined
  for (const [server, log] of view.logs.entries()) {
    const rows = landmarks[server] ?? []
    const rank = rankOf(rows, Math.max(log.first, log.countUpTo(place)))
    const row = rows[way === 1 ? rank : rank - 1]
    if (row === undefined || row < log.first) continue
    const own = log.placeOf(row)
    if (!found || (own - found.place) * way < 0) found = { server, row, place: own }
  }
  return found
}

/** How many of the rows stand before that one. */
function rankOf(rows: readonly number[], row: number): number {
  return lowerBound(rows.length, (at) => (rows[at] ?? 0) >= row)
}

function sum<T>(list: readonly T[], value: (one: T) => number): number {
  return list.reduce((total, one) => total + value(one), 0)
}
