import { useEffect, useMemo, useSyncExternalStore } from 'react'

import type { AppErrorShape } from '../../../src-shared/domain/app-error'
import type {
  LogQuery,
  LogRow,
  LogRows,
  LogSearch,
} from '../../../src-shared/domain/running/log-query'
import { call, toErrorShape } from '../../ipc/call'
import { onLogChange } from '../../stores/log-events'

const ROWS_AT_ONCE = 200
/** Maximum number of loaded rows; beyond it, rows outside the view are dropped. */
const MAX_KEPT = 5_000
/** Number of removed rows that the list keeps before it drops them in one step. */
const MAX_DROPPED = 100_000
/** Minimum interval between two checks for new rows, in ms. */
const REFRESH_MS = 200

/** Reads rows of one query; `from` as in `log.rows`. */
type ReadRows = (from: number, count: number) => Promise<LogRows>

/** Range of a list of rows: it starts at `origin`; rows before `first` are no longer stored. */
export type LogExtent = {
  readonly origin: number
  readonly first: number
  readonly end: number
  /** Number of the newest line of all logs. */
  readonly place: number
  /** Whether the list lost rows at its start, with no other change. */
  readonly isShortened: boolean
  readonly isReading: boolean
  readonly problem: AppErrorShape | null
}

const NOTHING: LogExtent = {
  ...{ origin: 0, first: 0, end: 0, place: -1 },
  ...{ isShortened: false, isReading: true, problem: null },
}

type CachedRow = { readonly row: LogRow; readonly round: number }

/** The rows of one query for a page: keeps those near the view, and loads others from main. */
export class LogRowCache {
  readonly #listeners = new Set<() => void>()
  readonly #kept = new Map<number, CachedRow>()
  #extent = NOTHING
  #viewId: number | undefined
  /** Incremented when all rows need reloading, for example for another search. */
  #round = 0
  #version = 0
  #wanted = { from: 0, to: 0 }
  #followsEnd = true
  #isBusy = false
  #isStale = true
  #isEnded = false
  #lookedAt = -Infinity
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(private read: ReadRows) {}

  get extent(): LogExtent {
    return this.#extent
  }

  get version(): number {
    return this.#version
  }

  /** The rows in view, excluding `to`. */
  get inView(): { readonly from: number; readonly to: number } {
    return this.#wanted
  }

  /** Returns a row if it is loaded; its matches may still be missing. */
  row(row: number): LogRow | undefined {
    return this.#kept.get(row)?.row
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Replaces the reader and reloads the rows in view. */
  readBy(read: ReadRows): void {
    this.read = read
    this.#round += 1
    this.#look()
  }

  /** Sets the rows in view, and whether to load the newest ones too. */
  want(from: number, to: number, followsEnd: boolean): void {
    this.#wanted = { from, to }
    this.#followsEnd = followsEnd
    if (this.#missing() !== undefined) this.#look()
  }

  /** Checks for new rows, at most once per interval. */
  readonly refresh = (): void => {
    this.#isStale = true
    if (this.#isBusy) return
    const delay = Math.max(0, this.#lookedAt + REFRESH_MS - performance.now())
    this.#timer ??= setTimeout(() => this.#look(), delay)
  }

  /** Called after the list was rendered without the rows that it lost. */
  settle(): void {
    if (!this.#extent.isShortened) return
    this.#set({ ...this.#extent, isShortened: false })
    this.refresh()
  }

  /** Starts reading, until `end`. */
  begin(): void {
    this.#isEnded = false
    this.refresh()
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
  }

  /** Sends one request at a time: first for new rows, then for missing rows in view. */
  #look(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isBusy || this.#isEnded) return
    const missing = this.#isStale ? undefined : this.#missing()
    if (!this.#isStale && missing === undefined) return
    this.#isBusy = true
    if (this.#isStale) this.#lookedAt = performance.now()
    this.#isStale = false
    const from = missing ?? (this.#followsEnd ? -ROWS_AT_ONCE : this.#wanted.from)
    void this.#ask(from, this.#round)
  }

  async #ask(from: number, round: number): Promise<void> {
    try {
      const response = await this.read(from, ROWS_AT_ONCE)
      if (!this.#isEnded) this.#take(response, round)
    } catch (thrown) {
      this.#set({ ...this.#extent, isReading: false, problem: toErrorShape(thrown) })
      return
    } finally {
      this.#isBusy = false
    }
    if (this.#isStale) this.refresh()
    else this.#look()
  }

  #take(response: LogRows, round: number): void {
    if (response.viewId !== this.#viewId) {
      this.#viewId = response.viewId
      this.#kept.clear()
      this.#extent = { ...NOTHING, origin: response.first }
    }
    for (const row of response.rows) this.#kept.set(row.row, { row, round })
    this.#letGo()
    const { first, place } = response
    const { origin, end } = this.#extent
    const isShortened = first - origin > MAX_DROPPED
    this.#set({
      ...{ first, place, isShortened, isReading: false, problem: null },
      // New rows are added after the list was rendered without the lost ones.
      origin: isShortened ? first : origin,
      end: isShortened ? Math.max(end, first) : response.end,
    })
  }

  /** Returns the first row in view that is missing or outdated. */
  #missing(): number | undefined {
    const { first, end } = this.#extent
    const to = Math.min(this.#wanted.to, end)
    for (let row = Math.max(this.#wanted.from, first); row < to; row += 1) {
      if (this.#kept.get(row)?.round !== this.#round) return row
    }
    return undefined
  }

  #letGo(): void {
    if (this.#kept.size <= MAX_KEPT) return
    const { from, to } = this.#wanted
    const newest = this.#extent.end - ROWS_AT_ONCE
    for (const row of this.#kept.keys()) {
      const isNear = row >= from - ROWS_AT_ONCE && row <= to + ROWS_AT_ONCE
      if (!isNear && row < newest) this.#kept.delete(row)
    }
  }

  #set(extent: LogExtent): void {
    this.#extent = extent
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}

function reader(query: LogQuery, search: LogSearch | undefined): ReadRows {
  return (from, count) => call('log.rows', { query, from, count, ...(search && { search }) })
}

/** Returns the rows of a query, updated live; `query` and `search` must keep their identity while nothing changes. */
export function useLogRowCache(query: LogQuery, search: LogSearch | undefined): LogRowCache {
  const window = useMemo(() => new LogRowCache(reader(query, undefined)), [query])
  useEffect(() => window.readBy(reader(query, search)), [window, query, search])
  useEffect(() => {
    const ours = new Set(query.servers)
    window.begin()
    const stop = onLogChange((grown) => {
      if (!grown || grown.some((one) => ours.has(one))) window.refresh()
    })
    return () => {
      stop()
      window.end()
    }
  }, [window, query])
  useSyncExternalStore(window.subscribe, () => window.version)
  return window
}
