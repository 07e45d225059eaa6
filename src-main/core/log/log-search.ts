import { setTimeout as delay } from 'node:timers/promises'
import type { Worker, WorkerOptions } from 'node:worker_threads'

import pLimit from 'p-limit'

import type { LogSearch as Wanted } from '../../../src-shared/domain/running/log-query'
import { messageOf } from '../failure/describe-failure'
import { background } from '../lifecycle/background'
import { LimitedThread } from '../lifecycle/limited-thread'
import type { Remote } from '../lifecycle/thread-ends'
import { TimeLimitError } from '../lifecycle/time-limit'
import type { LogBlock } from './log-store'
import { type LogView, sorted, type Step, stepTo } from './log-view'
import { patternOf, type SearchCalls, type SearchPattern } from './search/find-lines'

/** Blocks of lines that are searched with one question, at first; a pattern may take long, and then is given up. */
const BLOCKS_AT_ONCE = 16
/** Of a text it is twice as many each time, up to so many: what was said last is found soon, and the rest in few steps. */
const MOST_AT_ONCE = 128

/** Lines of a block that are to be searched, from one index in their log to before another. */
type Part = {
  readonly server: number
  readonly block: LogBlock
  readonly from: number
  readonly to: number
}

/** A search through the lines of a view, from the newest to the oldest; what comes later is searched by the next `run`. */
export class LogSearch {
  readonly #pattern: SearchPattern | undefined
  /** The lines of the view that were found, and the first row that was held then. */
  #found: number[] = []
  #first = 0
  /** For each log, by the first index of a block up to where it is searched. */
  readonly #searched: Map<number, number>[]
  #problem: string | undefined
  #isRunning = false
  #isOver = false
  #atOnce = BLOCKS_AT_ONCE
  #progress = Promise.withResolvers<null>()

  constructor(
    private readonly view: LogView,
    wanted: Wanted,
    private readonly thread: SearchThread,
  ) {
    this.#searched = view.stores.map(() => new Map<number, number>())
    try {
      this.#pattern = patternOf(wanted)
    } catch (error) {
      this.#problem = `Invalid pattern: ${reasonOf(error)}.`
    }
  }

  /** The pattern, unless it cannot be used. */
  get pattern(): SearchPattern | undefined {
    return this.#problem === undefined ? this.#pattern : undefined
  }

  get problem(): string | undefined {
    return this.#problem
  }

  get isDone(): boolean {
    return this.#problem !== undefined || this.#unsearched(1).length === 0
  }

  /** Lines that were found and are still held. */
  get count(): number {
    return this.#held().length
  }

  /** The line that is stepped to, among those found so far. */
  step(from: number, step: Step): { row: number; before: number } | undefined {
    return stepTo(this.view, from, step, this.#held())
  }

  /** Goes on until all lines are searched; does nothing where it runs already. */
  run(): void {
    if (this.#isRunning || this.isDone) return
    this.#isRunning = true
    background(
      this.#search().finally(() => {
        this.#isRunning = false
        this.#emit()
      }),
      'searching a log',
    )
  }

  /**
   * Waits for the first line that is found, so many ms at most and no longer than it is searched: also one that
   * another search replaced ends.
   */
  async firstFound(withinMs: number): Promise<void> {
    const limit = { isOver: false }
    const over = delay(withinMs, null, { ref: false }).then(() => {
      limit.isOver = true
    })
    while (this.#isRunning && this.count === 0 && !limit.isOver)
      await Promise.race([this.#progress.promise, over])
  }

  end(): void {
    this.#isOver = true
  }

  /** The pattern took too long, or nothing can be searched. */
  fail(error: unknown): void {
    this.#problem =
      error instanceof TimeLimitError
        ? 'The search was stopped because the pattern takes too long. Use a simpler one.'
        : `The search failed: ${messageOf(error)}.`
  }

  async #search(): Promise<void> {
    const { thread } = this
    const pattern = this.#pattern
    if (!pattern) return
    for (let next = this.#next(); next.length > 0; next = this.#next()) {
      const texts = next.map(({ block, from, to }) => block.texts(from, to))
      try {
        const found = await thread.ask((remote) => remote.findLines(pattern, texts))
        this.view.update()
        const lines = next.flatMap((part, at) => this.#linesOf(part, found[at] ?? []))
        if (lines.length > 0) this.#found = sorted([...this.#found, ...lines])
      } catch (error) {
        this.fail(error)
      }
      this.#emit()
    }
  }

  #next(): Part[] {
    if (this.#isOver || this.#problem !== undefined) return []
    const next = this.#unsearched(this.#atOnce)
    if (this.#pattern?.isPlain) this.#atOnce = Math.min(2 * this.#atOnce, MOST_AT_ONCE)
    return next
  }

  /** Of the newest blocks what is not searched yet. */
  #unsearched(most: number): Part[] {
    this.view.update()
    const ofEach = this.view.stores.flatMap((store, server) => {
      const seen = this.view.seenOf(server)
      const parts: Part[] = []
      for (const block of store.blocks.toReversed()) {
        if (parts.length === most) break
        const from = this.#searched[server]?.get(block.from) ?? block.from
        const to = Math.min(block.from + block.count, seen)
        if (from < to) parts.push({ server, block, from, to })
      }
      return parts
    })
    return ofEach.sort((a, b) => b.block.placeOf(b.from) - a.block.placeOf(a.from)).slice(0, most)
  }

  /** The lines that were found in a part, which is searched now. */
  #linesOf({ server, block, from, to }: Part, found: ArrayLike<number>): number[] {
    const searched = this.#searched[server]
    searched?.set(block.from, to)
    const oldest = this.view.stores[server]?.blocks[0]?.from ?? Infinity
    for (const one of searched?.keys() ?? []) if (one < oldest) searched?.delete(one)
    const lines = Array.from(found, (line) => this.view.lineOf(server, block, from + line))
    return this.view.held(lines)
  }

  #held(): readonly number[] {
    this.view.update()
    if (this.view.first !== this.#first) this.#found = this.view.held(this.#found)
    this.#first = this.view.first
    return this.#found
  }

  #emit(): void {
    this.#progress.resolve(null)
    this.#progress = Promise.withResolvers()
  }
}

/** What is wrong with a pattern, without the pattern itself. */
function reasonOf(error: unknown): string {
  return messageOf(error).split(': ').at(-1)?.toLowerCase() ?? ''
}

/** A question beyond this is given up with its pattern, in ms. */
const LIMIT_MS = 2_000
const REST_MS = 30_000

/** Where logs are searched: beside the main thread, so that no pattern holds the app up. */
export type SearchThread = AsyncDisposable & {
  /** One question after the other. Rejects with a `TimeLimitError` where one takes too long. */
  ask<T>(question: (remote: Remote<SearchCalls>) => Promise<T>): Promise<T>
}

/** Has the thread start with the first question, and end a while after the last. */
export function openSearchThread(
  createWorker: ((options: WorkerOptions) => Worker) | undefined,
): SearchThread {
  const inTurn = pLimit(1)
  const thread =
    createWorker &&
    new LimitedThread<SearchCalls>({ createWorker, limitMs: LIMIT_MS, restMs: REST_MS })
  return {
    ask: (question) =>
      inTurn(() => {
        if (!thread) throw new Error('there is no thread that searches')
        return thread.call(question)
      }),
    [Symbol.asyncDispose]: async () => {
      await thread?.[Symbol.asyncDispose]()
    },
  }
}
