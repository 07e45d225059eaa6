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

/** Blocks per call at first; a slow pattern is canceled. */
const BLOCKS_AT_ONCE = 16
/** For plain text the number doubles up to this: recent lines are found soon, and the rest in few steps. */
const MAX_BATCH = 128

/** Lines of a block to search, from one log index up to another. */
type Part = {
  readonly server: number
  readonly block: LogBlock
  readonly from: number
  readonly to: number
}

/** Searches the lines of a view, newest first; the next `run` searches later lines. */
export class LogSearch {
  readonly #pattern: SearchPattern | undefined
  /** Matching lines, and the first held row at that time. */
  #found: number[] = []
  #first = 0
  /** For each log, by a block's first index: the end of the searched part. */
  readonly #searched: Map<number, number>[]
  #problem: string | undefined
  #isRunning = false
  #isClosed = false
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

  /** The pattern, unless it is unusable. */
  get pattern(): SearchPattern | undefined {
    return this.#problem === undefined ? this.#pattern : undefined
  }

  get problem(): string | undefined {
    return this.#problem
  }

  get isDone(): boolean {
    return this.#problem !== undefined || this.#unsearched(1).length === 0
  }

  /** Matching lines that are still held. */
  get count(): number {
    return this.#held().length
  }

  /** The line to step to, among the matches so far. */
  step(from: number, step: Step): { row: number; before: number } | undefined {
    return stepTo(this.view, from, step, this.#held())
  }

  /** Continues until all lines are searched; no effect while running. */
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

  /** Waits for the first match, up to this many ms or until the search ends, even if another search replaces it. */
  async firstFound(withinMs: number): Promise<void> {
    const limit = { isOver: false }
    const timeout = delay(withinMs, null, { ref: false }).then(() => {
      limit.isOver = true
    })
    while (this.#isRunning && this.count === 0 && !limit.isOver)
      await Promise.race([this.#progress.promise, timeout])
  }

  end(): void {
    this.#isClosed = true
  }

  /** The pattern was too slow, or searching failed. */
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
        const found = await thread.run((remote) => remote.findLines(pattern, texts))
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
    if (this.#isClosed || this.#problem !== undefined) return []
    const next = this.#unsearched(this.#atOnce)
    if (this.#pattern?.isPlain) this.#atOnce = Math.min(2 * this.#atOnce, MAX_BATCH)
    return next
  }

  /** The unsearched lines of the newest blocks. */
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

  /** The matching lines of a part, which now counts as searched. */
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

/** The error of a pattern, without the pattern itself. */
function reasonOf(error: unknown): string {
  return messageOf(error).split(': ').at(-1)?.toLowerCase() ?? ''
}

/** Time limit of a call, after which its pattern is canceled, in ms. */
const LIMIT_MS = 2_000
const IDLE_MS = 30_000

/** The thread that searches logs, so that no pattern blocks the app. */
export type SearchThread = AsyncDisposable & {
  /** Runs one call at a time. Rejects with a `TimeLimitError` if it takes too long. */
  run<T>(work: (remote: Remote<SearchCalls>) => Promise<T>): Promise<T>
}

/** Opens a thread that starts with the first call, and ends a while after the last. */
export function openSearchThread(
  createWorker: ((options: WorkerOptions) => Worker) | undefined,
): SearchThread {
  const inTurn = pLimit(1)
  const thread =
    createWorker &&
    new LimitedThread<SearchCalls>({ createWorker, limitMs: LIMIT_MS, idleMs: IDLE_MS })
  return {
    run: (work) =>
      inTurn(() => {
        if (!thread) throw new Error('there is no thread that searches')
        return thread.call(work)
      }),
    [Symbol.asyncDispose]: async () => {
      await thread?.[Symbol.asyncDispose]()
    },
  }
}
