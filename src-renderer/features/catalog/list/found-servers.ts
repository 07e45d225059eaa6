import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type {
  CatalogPage,
  CatalogQuery,
  FacetCounts,
  ListedServer,
} from '../../../../src-shared/domain/catalog/catalog-query'

/** Servers of one request. */
export const PAGE_SIZE = 60

/** A question without its part: the parts are asked for as they come into view. */
export type ListQuestion = Omit<CatalogQuery, 'offset' | 'limit'>

/** What is known of the list that is shown; it stays until the answer to another question is there. */
export type FoundServers = {
  /** What was looked for. */
  readonly text: string
  /** Undefined before the first answer. */
  readonly total: number | undefined
  readonly facets: FacetCounts | undefined
  readonly corrections: CatalogPage['corrections']
  readonly problem: AppErrorShape | undefined
  /** By the place of the page in the list. */
  readonly pages: ReadonlyMap<number, readonly ListedServer[]>
}

const NOTHING: FoundServers = {
  text: '',
  total: undefined,
  facets: undefined,
  corrections: [],
  problem: undefined,
  pages: new Map(),
}

/** Asks main for a part of a list; null when a newer question came before the answer did. */
export type AskPage = (query: CatalogQuery, lane: 'first' | 'more') => Promise<CatalogPage | null>

/**
 * The list of what a question finds, page by page as it is looked at. The answers to a question that another one
 * replaced are dropped; those to the same one after the catalog changed take the place of the older page by page.
 */
export class FoundList {
  readonly #ask: AskPage
  readonly #toShape: (thrown: unknown) => AppErrorShape
  readonly #listeners = new Set<() => void>()
  #known = NOTHING
  #question: ListQuestion = { text: '' }
  /** Grows with each question and each change of the catalog. */
  #run = 0
  /** The run that each page belongs to. */
  readonly #runs = new Map<number, number>()
  #wanted: readonly number[] = []
  #isBusy = false
  #first: Promise<void> | undefined

  constructor(ask: AskPage, toShape: (thrown: unknown) => AppErrorShape) {
    this.#ask = ask
    this.#toShape = toShape
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): FoundServers => this.#known

  /** Asks a question, or the same one anew since the catalog has changed. */
  async show(question: ListQuestion): Promise<void> {
    this.#run += 1
    const run = this.#run
    // While nothing is shown yet, the first answer is waited for: no other one can be there sooner.
    if (this.#first) await this.#first
    if (run !== this.#run) return
    if (this.#known.total !== undefined) return this.#askFirst(question, run)
    this.#first = this.#askFirst(question, run)
    await this.#first
    this.#first = undefined
  }

  async #askFirst(question: ListQuestion, run: number): Promise<void> {
    const isSame = JSON.stringify(question) === JSON.stringify(this.#question)
    this.#question = question
    try {
      const page = await this.#ask({ ...question, offset: 0, limit: PAGE_SIZE }, 'first')
      if (page === null || (run !== this.#run && this.#known.total !== undefined)) return
      if (!isSame) this.#runs.clear()
      this.#runs.set(0, run)
      const { total, facets, corrections, servers } = page
      const others = isSame ? this.#known.pages : new Map<number, readonly ListedServer[]>()
      const pages = new Map(others).set(0, servers)
      const { text } = question
      this.#put({ text, total, facets, corrections, problem: undefined, pages })
    } catch (thrown) {
      if (run === this.#run) this.#put({ ...this.#known, problem: this.#toShape(thrown) })
    }
  }

  /** Sees to it that the servers from one place to another are there, or will be. */
  need(from: number, to: number): void {
    const last = Math.floor(Math.min(to, (this.#known.total ?? 0) - 1) / PAGE_SIZE)
    const places: number[] = []
    for (let place = Math.floor(from / PAGE_SIZE); place <= last; place += 1) places.push(place)
    this.#wanted = places
    if (!this.#isBusy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let place = this.#next(); place !== undefined; place = this.#next()) {
      const run = this.#run
      // Even where it fails it is not asked for again before something changes.
      this.#runs.set(place, run)
      const part = { offset: place * PAGE_SIZE, limit: PAGE_SIZE }
      try {
        const page = await this.#ask({ ...this.#question, ...part }, 'more')
        if (page === null || run !== this.#run) continue
        const pages = new Map(this.#known.pages).set(place, page.servers)
        this.#put({ ...this.#known, total: page.total, pages })
      } catch (thrown) {
        if (run === this.#run) this.#put({ ...this.#known, problem: this.#toShape(thrown) })
      }
    }
    this.#isBusy = false
  }

  /** The nearest page in view that this run has not asked for. */
  #next(): number | undefined {
    // Until its first page is there, nobody knows how long the list is.
    if (this.#runs.get(0) !== this.#run) return undefined
    return this.#wanted.find((place) => this.#runs.get(place) !== this.#run)
  }

  #put(known: FoundServers): void {
    this.#known = known
    for (const listener of this.#listeners) listener()
  }
}

/** The server at a place of the list; undefined while it is on its way. */
export function serverAt({ pages }: FoundServers, index: number): ListedServer | undefined {
  return pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE]
}
