import type { LogRow } from '../../../../src-shared/domain/running/log-query'
import type { LogStore } from '../store/log-store'
import { FilteredLog, isWhole, type LineFilter, lowerBound } from './filtered-log'

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
    this.update()
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
    const newest = Math.max(...this.logs.map(({ store }) => lastPlace(store)))
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

function lastPlace(store: LogStore): number {
  const last = store.blocks.at(-1)
  return last ? last.place(last.count - 1) : -1
}

function sum<T>(list: readonly T[], value: (one: T) => number): number {
  return list.reduce((total, one) => total + value(one), 0)
}
