import type {
  LogFound,
  LogQuery,
  LogRow,
  LogRows,
  LogSearch as Wanted,
} from '../../../src-shared/domain/running/log-query'
import type { SearchThread } from './log-search'
import { LogSearch } from './log-search'
import type { LogBlock, LogStore } from './log-store'
import { LogView, type Step, stepTo } from './log-view'

/** Cached query results. */
const MAX_VIEWS = 8
/** Time to wait for a search's first result, in ms. */
const FIRST_FOUND_MS = 500

/** Lines to step to, apart from search results. */
export type LogLandmark = 'mark' | 'error'

type OpenView = { readonly view: LogView; search?: LogSearch; searchKey?: string }

export type LogReaderOptions = {
  /** Returns a server's lines; throws NOT_FOUND. */
  readonly storeOf: (installationId: string) => LogStore
  /** Place of the newest line of all logs. */
  readonly lastPlace: () => number
  readonly thread: SearchThread
}

/** Answers pages' queries of the logs. A query's lines are cached while it is used. */
export class LogReader {
  /** By query, the most recently used last. */
  readonly #views = new Map<string, OpenView>()
  #lastViewId = 0

  constructor(private readonly options: LogReaderOptions) {}

  /** Rows from `from` on, or the newest for a negative number, like `Array.at`; with `wanted` they contain its matches. */
  async rows(query: LogQuery, from: number, count: number, wanted?: Wanted): Promise<LogRows> {
    const open = await this.#open(query)
    const { view } = open
    const rows = view.rows(from < 0 ? view.end + from : from, count)
    const search = wanted && this.#search(open, wanted)
    return { ...this.#extent(view), rows: search ? await this.#withHits(search, rows) : rows }
  }

  /** The next line with the text, from a row; the search continues after the answer. */
  async find(query: LogQuery, wanted: Wanted, from: number, step: Step): Promise<LogFound> {
    const open = await this.#open(query)
    const search = this.#search(open, wanted)
    search.run()
    await search.firstFound(FIRST_FOUND_MS)
    const { count, isDone, problem } = search
    const current = search.step(from, step)
    return {
      ...this.#extent(open.view),
      ...{ count, isDone },
      ...(problem !== undefined && { problem }),
      ...(current && { current }),
    }
  }

  /** The row of the next or previous mark or error, wrapping around; null if there is none. */
  async landmark(
    query: LogQuery,
    kind: LogLandmark,
    from: number,
    step: Step,
  ): Promise<number | null> {
    const { view } = await this.#open(query)
    const landmarks = await view.landmarks(kind === 'mark' ? isMark : isError)
    return stepTo(view, from, step, landmarks)?.row ?? null
  }

  async #open(query: LogQuery): Promise<OpenView> {
    const key = JSON.stringify(query)
    const stores = query.servers.map(this.options.storeOf)
    const open = this.#known(key, stores) ?? this.#begin(stores, query)
    this.#views.delete(key)
    this.#views.set(key, open)
    this.#dropOldest()
    await open.view.catchUp()
    return open
  }

  /** The cached view, if it is of the same logs. */
  #known(key: string, stores: readonly LogStore[]): OpenView | undefined {
    const known = this.#views.get(key)
    if (known?.view.stores.every((store, index) => store === stores[index])) return known
    known?.search?.end()
    return undefined
  }

  #begin(stores: readonly LogStore[], query: LogQuery): OpenView {
    this.#lastViewId += 1
    return { view: new LogView(this.#lastViewId, stores, query) }
  }

  #dropOldest(): void {
    for (const [key, { search }] of this.#views) {
      if (this.#views.size <= MAX_VIEWS) return
      search?.end()
      this.#views.delete(key)
    }
  }

  #search(open: OpenView, wanted: Wanted): LogSearch {
    const key = JSON.stringify(wanted)
    if (open.search && open.searchKey === key) return open.search
    open.search?.end()
    open.searchKey = key
    open.search = new LogSearch(open.view, wanted, this.options.thread)
    return open.search
  }

  async #withHits(search: LogSearch, rows: readonly LogRow[]): Promise<LogRow[]> {
    const { pattern } = search
    if (!pattern || rows.length === 0) return [...rows]
    try {
      const texts = rows.map(({ entry }) => entry.text)
      const found = await this.options.thread.run((remote) => remote.findHits(pattern, texts))
      return rows.map((row, index) => ({ ...row, hits: found[index] ?? [] }))
    } catch (error) {
      search.fail(error)
      return [...rows]
    }
  }

  #extent({ viewId, first, end }: LogView): Omit<LogRows, 'rows'> {
    return { viewId, first, end, place: this.options.lastPlace() }
  }
}

const ERROR = 3
const INFO = 1

/** A line about a server's start or end. */
const isMark = (block: LogBlock, index: number): boolean =>
  block.sourceOf(index) === 'patchbay' && block.levelOf(index) === INFO

const isError = (block: LogBlock, index: number): boolean => block.levelOf(index) === ERROR
