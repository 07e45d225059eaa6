import { setTimeout as delay } from 'node:timers/promises'

import type { LogSearch as Wanted } from '../../../../src-shared/domain/running/log-query'
import { messageOf } from '../../failure/describe-failure'
import { background } from '../../lifecycle/background'
import { TimeLimitError } from '../../lifecycle/time-limit'
import type { FilteredBlock } from '../view/filtered-log'
import type { LogView } from '../view/log-view'
import { countAll, type Step, stepTo } from '../view/step-to'
import { patternOf } from './find-lines'
import type { SearchThread } from './open-search-thread'
import type { SearchPattern } from './search-calls'

/** Blocks of lines that are searched with one question, at first; a pattern may take long, and then is given up. */
const BLOCKS_AT_ONCE = 6
/** Of a text it is twice as many each time, up to so many: what was said last is found soon, and the rest in few steps. */
const MOST_AT_ONCE = 48

const NONE = new Uint32Array()

/** What was found in a block, when it had so many lines. */
type Searched = { readonly indexes: Uint32Array; readonly lines: number }

/** A search through the lines of a view, from the newest to the oldest; what comes later is searched by the next `run`. */
export class LogSearch {
  readonly #pattern: SearchPattern | undefined
  /** By the number of the block, for each log. */
  readonly #searched: Map<number, Searched>[]
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
    this.#searched = view.logs.map(() => new Map<number, Searched>())
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
    return countAll(this.view, this.#indexesOf)
  }

  /** The line that is stepped to, among those found so far. */
  step(from: number, step: Step): { row: number; before: number } | undefined {
    return stepTo(this.view, from, step, this.#indexesOf)
  }

  /** Goes on until all lines are searched; does nothing where it runs already. */
  run(): void {
    if (this.#isRunning || this.isDone) return
    this.#isRunning = true
    background(
      this.#search().finally(() => {
        this.#isRunning = false
        this.#tell()
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

  /** Nobody asks any more. */
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
      const texts = next.map(({ passing }) => passing.block.texts())
      const lines = next.map(({ passing }) => passing.block.count)
      try {
        const found = await thread.ask((remote) => remote.findLines(pattern, texts))
        for (const [at, { server, passing }] of next.entries()) {
          const searched = { indexes: found[at] ?? NONE, lines: lines[at] ?? 0 }
          this.#searched[server]?.set(passing.number, searched)
        }
      } catch (error) {
        this.fail(error)
      }
      this.#forget()
      this.#tell()
    }
  }

  #next(): { server: number; passing: FilteredBlock }[] {
    if (this.#isOver || this.#problem !== undefined) return []
    const next = this.#unsearched(this.#atOnce)
    if (this.#pattern?.isPlain) this.#atOnce = Math.min(2 * this.#atOnce, MOST_AT_ONCE)
    return next
  }

  /** The newest blocks that are not searched to their end. */
  #unsearched(most: number): { server: number; passing: FilteredBlock }[] {
    const ofEach = this.view.logs.flatMap(({ blocks }, server) => {
      const searched = this.#searched[server]
      const found: { server: number; passing: FilteredBlock }[] = []
      for (let at = blocks.length - 1; at >= 0 && found.length < most; at -= 1) {
        const passing = blocks[at]
        if (passing && (searched?.get(passing.number)?.lines ?? -1) < passing.seen)
          found.push({ server, passing })
      }
      return found
    })
    return ofEach.sort((a, b) => b.passing.block.place(0) - a.passing.block.place(0)).slice(0, most)
  }

  /** Of blocks that are no longer held. */
  #forget(): void {
    for (const [server, log] of this.view.logs.entries()) {
      const oldest = log.blocks[0]?.number ?? Infinity
      const searched = this.#searched[server]
      for (const number of searched?.keys() ?? []) if (number < oldest) searched?.delete(number)
    }
  }

  #tell(): void {
    this.#progress.resolve(null)
    this.#progress = Promise.withResolvers()
  }

  readonly #indexesOf = ({ number }: FilteredBlock, server: number): Uint32Array =>
    this.#searched[server]?.get(number)?.indexes ?? NONE
}

/** What is wrong with a pattern, without the pattern itself. */
function reasonOf(error: unknown): string {
  return messageOf(error).split(': ').at(-1)?.toLowerCase() ?? ''
}
