import { setImmediate as nextTurn } from 'node:timers/promises'

import { LOG_LEVELS } from '../../../src-shared/domain/running/log-limits'
import type { LogQuery, LogRow } from '../../../src-shared/domain/running/log-query'
import { type LogBlock, type LogStore, lowerBound } from './log-store'

type LineFilter = Omit<LogQuery, 'servers'>
type Test = (block: LogBlock, index: number) => boolean

/** A line of a view as one number: its place among all lines, and its log within the view. Lines are in order of arrival. */
type ViewLine = number

/** Lines scanned per tick, a few ms. */
const LINES_AT_ONCE = 100_000

/**
 * The lines of a query, from one log or several, in order of arrival. Rows count from 0 and include dropped lines; `update` adds later
 * lines.
 */
export class LogView {
  /** The held lines, in order. */
  #lines: ViewLine[] = []
  /** Later lines, log by log. */
  readonly #incoming: ViewLine[] = []
  #dropped = 0
  /** For each log, the index after the last scanned line, and its first held index at that time. */
  readonly #seen: number[]
  #firsts: readonly number[]
  readonly #passes: Test
  /** Whether all lines pass, so that missing numbers mean lost lines. */
  readonly #isWhole: boolean

  constructor(
    /** Unique within a run. */
    readonly viewId: number,
    readonly stores: readonly LogStore[],
    filter: LineFilter,
  ) {
    this.#seen = stores.map(() => 0)
    this.#firsts = stores.map(() => 0)
    this.#passes = testOf(filter)
    this.#isWhole = filter.level === 'debug' && filter.source === undefined
  }

  /** The oldest held row. */
  get first(): number {
    return this.#dropped
  }

  /** The row after the newest. */
  get end(): number {
    return this.#dropped + this.#lines.length
  }

  /** Adds later lines, and drops lines no longer held. */
  update(): void {
    for (const [server, store] of this.stores.entries()) this.#scan(store, server)
    const incoming = this.#incoming.splice(0)
    for (const line of this.stores.length > 1 ? sorted(incoming) : incoming) this.#lines.push(line)
    this.#dropOldest()
  }

  /** Like `update`, in ticks, for logs with many new lines. */
  async catchUp(): Promise<void> {
    await this.#inTurns((store, server) => this.#scan(store, server))
    this.update()
  }

  /** The lines that pass a test, found in ticks. */
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

  /** Up to `count` held rows from `from` on. */
  rows(from: number, count: number): LogRow[] {
    const start = Math.max(from - this.#dropped, 0)
    const end = Math.max(from + count - this.#dropped, 0)
    return this.#lines.slice(start, end).flatMap((line, at) => {
      const server = line % this.stores.length
      const store = this.stores[server]
      if (!store) return []
      const index = store.indexOf(Math.floor(line / this.stores.length))
      const missing = this.#isWhole ? store.missingBefore(index) : 0
      const { entry } = store.blockOf(index).line(index)
      return [{ row: this.#dropped + start + at, server, entry, missing }]
    })
  }

  /** The line of a row: lower than any before the first row, and the newest after the last. */
  lineAt(row: number): ViewLine {
    return this.#lines[Math.min(row, this.end - 1) - this.#dropped] ?? -1
  }

  lineOf(server: number, block: LogBlock, index: number): ViewLine {
    return block.placeOf(index) * this.stores.length + server
  }

  /** The row of a line, if it passes and is held. */
  rowOf(line: ViewLine): number | undefined {
    const rank = lowerBound(this.#lines.length, (at) => (this.#lines[at] ?? 0) >= line)
    return this.#lines[rank] === line ? this.#dropped + rank : undefined
  }

  /** Those of these lines that pass and are held. */
  held(lines: readonly ViewLine[]): ViewLine[] {
    return lines.filter((line) => this.rowOf(line) !== undefined)
  }

  /** Index after the last scanned line of a log. */
  seenOf(server: number): number {
    return this.#seen[server] ?? 0
  }

  /** Returns the number of scanned lines. */
  #scan({ first, end, blocks }: LogStore, server: number): number {
    const from = Math.max(this.seenOf(server), first)
    for (const block of blocks) {
      const blockEnd = block.from + block.count
      for (let index = Math.max(from, block.from); index < blockEnd; index += 1)
        if (this.#passes(block, index)) this.#incoming.push(this.lineOf(server, block, index))
    }
    this.#seen[server] = end
    return end - from
  }

  #dropOldest(): void {
    const firsts = this.stores.map(({ first }) => first)
    if (firsts.every((first, server) => first === this.#firsts[server])) return
    this.#firsts = firsts
    const places = this.stores.map((store) => store.firstPlace)
    const { length } = this.stores
    const before = this.#lines.length
    this.#lines = this.#lines.filter(
      (line) => Math.floor(line / length) >= (places[line % length] ?? 0),
    )
    this.#dropped += before - this.#lines.length
  }

  /** Runs `work` on each log, in ticks; it returns the number of scanned lines. */
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

/** Lines in order of arrival. */
export function sorted(lines: readonly ViewLine[]): ViewLine[] {
  return [...Float64Array.from(lines).sort()]
}

function testOf({ level, source, since, until, after }: LineFilter): Test {
  const minimum = LOG_LEVELS.indexOf(level)
  const from = since ?? -Infinity
  const to = until ?? Infinity
  const later = after ?? -1
  return (block, index) =>
    block.levelOf(index) >= minimum &&
    (source === undefined || block.sourceOf(index) === source) &&
    block.timeOf(index) >= from &&
    block.timeOf(index) <= to &&
    block.placeOf(index) > later
}

/** `here` is the newest line up to the row, else the first after it. */
export type Step = 'here' | 'next' | 'previous'

/**
 * Steps from a row to one of `lines`, wrapping around; returns its row and the number of lines before it, or undefined if there is none.
 */
export function stepTo(
  view: LogView,
  from: number,
  step: Step,
  lines: readonly ViewLine[],
): { readonly row: number; readonly before: number } | undefined {
  const line = view.lineAt(from)
  const lowest = step === 'previous' ? line : line + 1
  const after = lowerBound(lines.length, (at) => (lines[at] ?? 0) >= lowest)
  const wanted = step === 'next' ? after : after - 1
  const round = step === 'previous' ? lines.length - 1 : 0
  const before = wanted in lines ? wanted : round
  const row = view.rowOf(lines[before] ?? -1)
  return row === undefined ? undefined : { row, before }
}
