import { isDeepStrictEqual } from 'node:util'

import type { CatalogPage, CatalogQuery } from '../../../src-shared/domain/catalog/catalog-query'
import type { Timekeeper } from '../ports'
import { MOST_PAGES, type OpeningMemory, type OpeningPage } from './opening-memory'
import type { SyncScheduler } from './sync-scheduler'
import type { CatalogWorker } from './thread/catalog-worker'

/** Servers of a page that is worth remembering. */
const MOST_SERVERS = 100
const DAY_MS = 86_400_000
/** Days for which an answer is remembered, its own and those after. */
const DAYS = 8
const LANE = 'opening'
/** What the answer needs first is the window, which paints it; nobody types sooner than this. */
const WAKE_MS = 200

/** What opening pages are remembered of. */
export type FirstPageCacheOptions = {
  readonly memory: OpeningMemory
  readonly syncScheduler: Pick<
    SyncScheduler,
    'isAwake' | 'worker' | 'listKey' | 'listChanged' | 'moves'
  >
  readonly onTrouble: (error: unknown) => void
  readonly time: Timekeeper
}

/** A question, and when it was asked in epoch ms. */
type Asked = Pick<OpeningPage, 'question' | 'at'>

/**
 * Answers what a window asks first, the beginning of the whole list, while the catalog's thread sleeps: it was remembered
 * when it was asked last, is forgotten before anything of it may change, and the thread that wakes behind it is
 * asked whether it is still true.
 */
export class FirstPageCache implements Disposable {
  readonly #options: FirstPageCacheOptions
  readonly #subscriptions: readonly Disposable[]
  /** The newest first. */
  #questions: readonly Asked[] = []
  /** Those that the file holds answers to, with the days after them. */
  #held: readonly Asked[] = []
  /** Grows whenever what is being found out is of no use any more. */
  #run = 0
  #wake: Disposable | undefined
  #isDisposed = false

  constructor(options: FirstPageCacheOptions) {
    this.#options = options
    this.#subscriptions = [
      options.syncScheduler.moves.onWillChange(() => this.#forget()),
      options.syncScheduler.moves.onDidSettle(() => this.#tended(this.#fill())),
    ]
  }

  /** The answer to a question; undefined where the thread is awake or nothing is remembered. */
  find(query: CatalogQuery): CatalogPage | undefined {
    const { memory, syncScheduler, time } = this.#options
    const { listKey } = syncScheduler
    if (!isOpening(query) || syncScheduler.isAwake || listKey === undefined) return undefined
    const file = memory.read()
    if (file?.about !== listKey) return undefined
    if (this.#held.length === 0) this.#hold(file.pages)
    const known = file.pages.find(({ question }) => isSame(question, query))
    const day = known?.days.find(({ recent }) => isDeepStrictEqual(recent, query.recent))
    if (!known || !day) return undefined
    this.#putFirst(known)
    const facets = { ...known.page.facets, updated: day.updated }
    const page = { ...known.page, facets }
    this.#wake?.[Symbol.dispose]()
    this.#wake = time.after(WAKE_MS, () => this.#tended(this.#confirm(query, page)))
    return page
  }

  /** To be called with what the thread has answered. */
  note(query: CatalogQuery): void {
    if (!isOpening(query)) return
    const held = this.#held.find(
      ({ question }) => isSame(question, query) && isDeepStrictEqual(question.recent, query.recent),
    )
    this.#putFirst(held ?? { question: query, at: this.#options.time.now() })
    if (!held) this.#tended(this.#fill())
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.#run += 1
    this.#wake?.[Symbol.dispose]()
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]()
  }

  /** Wakes the thread, so that the next question is answered soon, and asks it the same. */
  async #confirm(query: CatalogQuery, page: CatalogPage): Promise<void> {
    const { syncScheduler } = this.#options
    const worker = await syncScheduler.worker()
    const found = await worker.search(query, `${LANE} again`)
    if (found === undefined) return
    if (!isDeepStrictEqual(found, page)) {
      this.#forget()
      syncScheduler.listChanged()
    }
    this.note(query)
  }

  #forget(): void {
    this.#run += 1
    try {
      if (this.#questions.length === 0) this.#hold(this.#options.memory.read()?.pages ?? [])
      this.#held = []
      this.#options.memory.forget()
    } catch (error) {
      this.#options.onTrouble(error)
    }
  }

  /** Asks the thread what is to be remembered; dropped where the list changes meanwhile. */
  async #fill(): Promise<void> {
    const { memory, syncScheduler } = this.#options
    const { listKey } = syncScheduler
    if (listKey === undefined || this.#questions.length === 0) return
    this.#run += 1
    const run = this.#run
    const worker = await syncScheduler.worker()
    const pages: OpeningPage[] = []
    for (const asked of this.#questions) {
      const page = await answer(worker, asked, this.#options.time.now())
      if (page === undefined || run !== this.#run) return
      pages.push(page)
    }
    if (syncScheduler.listKey !== listKey) return
    memory.write(listKey, pages)
    this.#hold(pages)
  }

  #putFirst({ question, at }: Asked): void {
    const others = this.#questions.filter((one) => !isSame(one.question, question))
    this.#questions = [{ question, at }, ...others].slice(0, MOST_PAGES)
  }

  #hold(pages: readonly OpeningPage[]): void {
    this.#questions = pages.map(({ question, at }) => ({ question, at }))
    this.#held = this.#questions
  }

  /** Nobody waits for it; what fails once all has ended is nobody's any more. */
  #tended(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#isDisposed) this.#options.onTrouble(error)
    })
  }
}

/** Whether a question is for the beginning of the whole list. */
function isOpening({ text, filter = {}, sort = 'relevance', ...part }: CatalogQuery): boolean {
  const { offset = 0, limit = MOST_SERVERS } = part
  const isWhole = text === '' && Object.keys(filter).length === 0
  return isWhole && sort === 'relevance' && offset === 0 && limit <= MOST_SERVERS
}

/** Whether two questions ask for the same, perhaps on different days. */
function isSame(one: CatalogQuery, other: CatalogQuery): boolean {
  return isDeepStrictEqual({ ...one, recent: undefined }, { ...other, recent: undefined })
}

/** From `now` on, whenever it was asked. Undefined when a newer answer is being asked for. */
async function answer(
  worker: CatalogWorker,
  { question, at }: Asked,
  now: number,
): Promise<OpeningPage | undefined> {
  const days: OpeningPage['days'] = []
  let first: CatalogPage | undefined
  const passed = Math.floor(now / DAY_MS) - Math.floor(at / DAY_MS)
  for (const recent of daysFrom(question.recent, passed)) {
    const page = await worker.search({ ...question, recent }, LANE)
    if (page === undefined) return undefined
    first ??= page
    days.push({ recent, updated: page.facets.updated })
  }
  return first && { question, at, page: first, days }
}

/** The same moments so many days later, and on the days after. */
function daysFrom(recent: CatalogQuery['recent'], passed: number): CatalogQuery['recent'][] {
  if (recent === undefined) return [undefined]
  return Array.from({ length: DAYS }, (_, day) => {
    const later = (passed + day) * DAY_MS
    return { month: recent.month + later, year: recent.year + later }
  })
}
