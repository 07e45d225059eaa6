import * as z from 'zod'

import { attempt } from '../../../../src-shared/domain/attempt'
import { LimitedThread, type LimitedThreadOptions } from '../../lifecycle/limited-thread'
import { recallOwnJson, writeOwnJson } from '../../storage/own-file'

/** What the thread answers: about how many tokens each text takes, in their order. */
export type TokenCalls = { readonly count: (texts: readonly string[]) => number[] }

export type TokenCounterOptions = LimitedThreadOptions & {
  /** Absolute path of the file that remembers counts. */
  readonly file: string
}

/** What a counted text depends on; the name that agents see is a part of it. */
export type CountedTool = { readonly exposedName: string | undefined; readonly hash: string }

/** Raised when the encoding or the way of counting changes: what was counted before is forgotten then. */
const VERSION = 1
const Counts = z.object({
  version: z.literal(VERSION),
  counts: z.record(z.string(), z.number().int().nonnegative()),
})
/** Most counts that are kept; some 150 bytes each. */
const MOST_COUNTS = 20_000
const MOST_BYTES = 8 * 1024 * 1024
/** Texts of one question to the thread: even the slowest are counted within 2 s or so. */
const BATCH = 32
/** What of a text is counted, in UTF-16 units: one that is longer nobody wrote manually, and the thread must not run out of memory. */
const COUNTED = 20_000
const BYTES_PER_TOKEN = 4
/** Batches that fail before the rest waits for the next change. */
const MOST_FAILURES = 2

type Texts = ReadonlyMap<string, () => string>

/** The key under which the tokens of a tool's definition are counted. */
export function tokenKey({ exposedName = '', hash }: CountedTool): string {
  return `${hash} ${exposedName}`
}

/** Estimates what texts take of a model's context, in tokens, on a thread of its own that runs only while it counts. */
export class TokenCounter implements AsyncDisposable {
  readonly #file: string
  readonly #thread: LimitedThread<TokenCalls>
  readonly #counts: Map<string, number>
  #turn = Promise.resolve()
  #isDisposed = false

  constructor(options: TokenCounterOptions) {
    this.#file = options.file
    this.#thread = new LimitedThread(options)
    // What cannot be read is counted again.
    const found = recallOwnJson(options.file, Counts, MOST_BYTES)
    this.#counts = new Map(Object.entries(found?.counts ?? {}))
  }

  /** The count of the text with this key, where it is known. */
  of(key: string): number | undefined {
    return this.#counts.get(key)
  }

  /**
   * Counts what is not known yet of texts by their keys, their first 20,000 characters by an encoding and the rest by its bytes; settles when that is done, also for calls that come meanwhile.
   * Rejects never: what cannot be counted stays unknown until the next call.
   */
  count(texts: Texts): Promise<void> {
    this.#turn = this.#turn.then(() => this.#countMissing(texts))
    return this.#turn
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await this.#thread[Symbol.asyncDispose]()
    await this.#turn
  }

  async #countMissing(texts: Texts): Promise<void> {
    const missing = [...texts].filter(([key]) => !this.#counts.has(key))
    if (missing.length === 0) return
    const before = this.#counts.size
    let failures = 0
    for (let at = 0; at < missing.length; at += BATCH) {
      if (this.#isDisposed || failures === MOST_FAILURES) break
      const batch = missing.slice(at, at + BATCH)
      try {
        await this.#countBatch(batch)
      } catch {
        failures += 1 // these stay unknown, which is what the screens show
      }
    }
    if (this.#counts.size > before) this.#keep(texts)
  }

  /** Texts are made for their batch only: all of them together may be many megabytes. */
  async #countBatch(batch: readonly (readonly [string, () => string])[]): Promise<void> {
    const texts = batch.map(([, make]) => make())
    const heads = texts.map((text) => text.slice(0, COUNTED))
    const counts = await this.#thread.call((remote) => remote.count(heads))
    for (const [index, [key]] of batch.entries()) {
      const restBytes = Buffer.byteLength(texts[index]?.slice(COUNTED) ?? '')
      this.#counts.set(key, (counts[index] ?? 0) + Math.ceil(restBytes / BYTES_PER_TOKEN))
    }
  }

  /** The oldest go first, but none of those that are in use. */
  #keep(used: Texts): void {
    for (const key of this.#counts.keys()) {
      if (this.#counts.size <= MOST_COUNTS) break
      if (!used.has(key)) this.#counts.delete(key)
    }
    const counts = Object.fromEntries([...this.#counts].slice(-MOST_COUNTS))
    // On a full disk the next run counts again.
    attempt(() => writeOwnJson(this.#file, { version: VERSION, counts }, MOST_BYTES))
  }
}
