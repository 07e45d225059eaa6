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

/** Rows that are asked for at a time. */
const ROWS_AT_ONCE = 200
/** Rows that are kept; of more, those that are not in view go. */
const MOST_KEPT = 5_000
/** So many rows that are no longer held stay in the list before it is shortened by them. */
const MOST_GONE = 100_000
/** Shortest time from one look at what is new to the next, in ms. */
const LOOK_MS = 200

/** Reads rows of one query; `from` as in `log.rows`. */
type ReadRows = (from: number, count: number) => Promise<LogRows>

/** What a list of rows shows: rows from `origin` on; those before `first` are no longer held. */
export type LogExtent = {
  readonly origin: number
  readonly first: number
  readonly end: number
  /** Of the newest line of all logs. */
  readonly place: number
  /** The list lost rows at its begin, and nothing else changed. */
  readonly isShortened: boolean
  /** Nothing was read yet. */
  readonly isReading: boolean
  readonly problem: AppErrorShape | null
}

const NOTHING: LogExtent = {
  ...{ origin: 0, first: 0, end: 0, place: -1 },
  ...{ isShortened: false, isReading: true, problem: null },
}

type Kept = { readonly row: LogRow; readonly round: number }

/** The rows of one query as a page needs them: it holds those in view, and asks main for the others. */
export class LogWindow {
  readonly #listeners = new Set<() => void>()
  readonly #kept = new Map<number, Kept>()
  #extent = NOTHING
  #viewId: number | undefined
  /** Rises when all rows are to be read again, such as for another search. */
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

  /** Changes whenever something else is to be drawn. */
  get version(): number {
    return this.#version
  }

  /** The rows in view, `to` excluded. */
  get inView(): { readonly from: number; readonly to: number } {
    return this.#wanted
  }

  /** A row, when it is here; it may still be without what was searched for. */
  row(row: number): LogRow | undefined {
    return this.#kept.get(row)?.row
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Rows are read otherwise from now on; those in view are read again. */
  readBy(read: ReadRows): void {
    this.read = read
    this.#round += 1
    this.#look()
  }

  /** The rows in view, and whether the newest are to be among them. */
  want(from: number, to: number, followsEnd: boolean): void {
    this.#wanted = { from, to }
    this.#followsEnd = followsEnd
    if (this.#missing() !== undefined) this.#look()
  }

  /** Something came, or anything may have. */
  readonly refresh = (): void => {
    this.#isStale = true
    if (this.#isBusy) return
    const rest = Math.max(0, this.#lookedAt + LOOK_MS - performance.now())
    this.#timer ??= setTimeout(() => this.#look(), rest)
  }

  /** The list was drawn without the rows that it lost. */
  settle(): void {
    if (!this.#extent.isShortened) return
    this.#set({ ...this.#extent, isShortened: false })
    this.refresh()
  }

  /** Reads, until `end`. */
  begin(): void {
    this.#isEnded = false
    this.refresh()
  }

  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
  }

  /** One question at a time: what is new, then what is in view and not here. */
  #look(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isBusy || this.#isEnded) return
    const missing = this.#isStale ? undefined : this.#missing()
    if (!this.#isStale && missing === undefined) return
    this.#isBusy = true
    if (this.#isStale) this.#lookedAt = performance.now()
    this.#isStale = false
    const asked = missing ?? (this.#followsEnd ? -ROWS_AT_ONCE : this.#wanted.from)
    void this.#ask(asked, this.#round)
  }

  async #ask(from: number, round: number): Promise<void> {
    try {
      const answer = await this.read(from, ROWS_AT_ONCE)
      if (!this.#isEnded) this.#take(answer, round)
    } catch (thrown) {
      this.#set({ ...this.#extent, isReading: false, problem: toErrorShape(thrown) })
      return
    } finally {
      this.#isBusy = false
    }
    if (this.#isStale) this.refresh()
    else this.#look()
  }

  #take(answer: LogRows, round: number): void {
    if (answer.viewId !== this.#viewId) {
      this.#viewId = answer.viewId
      this.#kept.clear()
      this.#extent = { ...NOTHING, origin: answer.first }
    }
    for (const row of answer.rows) this.#kept.set(row.row, { row, round })
    this.#letGo()
    const { first, place } = answer
    const { origin, end } = this.#extent
    const isShortened = first - origin > MOST_GONE
    this.#set({
      ...{ first, place, isShortened, isReading: false, problem: null },
      // The rows that came are added once the list was drawn without those that it lost.
      origin: isShortened ? first : origin,
      end: isShortened ? Math.max(end, first) : answer.end,
    })
  }

  /** Where the first row stands that is in view and not here as it is to be. */
  #missing(): number | undefined {
    const { first, end } = this.#extent
    const to = Math.min(this.#wanted.to, end)
    for (let row = Math.max(this.#wanted.from, first); row < to; row += 1) {
      if (this.#kept.get(row)?.round !== this.#round) return row
    }
    return undefined
  }

  #letGo(): void {
    if (this.#kept.size <= MOST_KEPT) return
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

/** The rows of a query, kept up with what comes; `query` and `search` stay the same objects as long as nothing changes in them. */
export function useLogWindow(query: LogQuery, search: LogSearch | undefined): LogWindow {
  const window = useMemo(() => new LogWindow(reader(query, undefined)), [query])
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
