import * as z from 'zod'

import { attempt } from '../../../../src-shared/domain/attempt'
import { LimitedThread, type LimitedThreadOptions } from '../../lifecycle/limited-thread'
import { readOwnJsonOr, writeOwnJson } from '../../storage/own-file'

/** Calls of the thread: estimates the tokens of each text, in order. */
export type TokenCalls = { readonly count: (texts: readonly string[]) => number[] }

export type TokenCounterOptions = LimitedThreadOptions & {
  /** Absolute path of the file that stores counts. */
  readonly file: string
}

/** The input of a count; it includes the name that agents see. */
export type CountedTool = { readonly exposedName: string | undefined; readonly hash: string }

/** Increased when the encoding or the counting changes, which discards earlier counts. */
const VERSION = 1
const Counts = z.object({
  version: z.literal(VERSION),
  counts: z.record(z.string(), z.number().int().nonnegative()),
})
/** Maximum number of stored counts, some 150 bytes each. */
const MAX_COUNTS = 20_000
const MAX_BYTES = 8 * 1024 * 1024
/** Texts per request to the thread: even the slowest are counted within about 2 s. */
const BATCH = 32
/** Counted part of a text, in UTF-16 units: nobody writes longer ones manually, and the thread must not run out of memory. */
const COUNTED = 20_000
const BYTES_PER_TOKEN = 4
/** Failed batches after which the rest waits for the next change. */
const MAX_FAILURES = 2

type Texts = ReadonlyMap<string, () => string>

/** Returns the key of a tool definition's token count. */
export function tokenKey({ exposedName = '', hash }: CountedTool): string {
  return `${hash} ${exposedName}`
}

/** Estimates the tokens of texts on a thread that runs only while it counts. */
export class TokenCounter implements AsyncDisposable {
  readonly #file: string
  readonly #thread: LimitedThread<TokenCalls>
  readonly #counts: Map<string, number>
  #turn = Promise.resolve()
  #isDisposed = false

  constructor(options: TokenCounterOptions) {
    this.#file = options.file
    this.#thread = new LimitedThread(options)
    // Counts from an unreadable file are computed again.
    const found = readOwnJsonOr(options.file, Counts, MAX_BYTES)
    this.#counts = new Map(Object.entries(found?.counts ?? {}))
  }

  /** Returns the count of the text with this key, if known. */
  of(key: string): number | undefined {
    return this.#counts.get(key)
  }

  /**
   * Counts unknown texts by key: their first 20,000 characters by the encoding, and the rest by bytes. Settles when that is done, also for
   * concurrent calls. Never rejects: uncountable texts stay unknown until the next call.
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
      if (this.#isDisposed || failures === MAX_FAILURES) break
      const batch = missing.slice(at, at + BATCH)
      try {
        await this.#countBatch(batch)
      } catch {
        failures += 1 // These counts stay unknown in the UI.
      }
    }
    if (this.#counts.size > before) this.#save(texts)
  }

  /** Texts are created per batch, because all of them may be many megabytes. */
  async #countBatch(batch: readonly (readonly [string, () => string])[]): Promise<void> {
    const texts = batch.map(([, make]) => make())
    const heads = texts.map((text) => text.slice(0, COUNTED))
    const counts = await this.#thread.call((remote) => remote.count(heads))
    for (const [index, [key]] of batch.entries()) {
      const remainingBytes = Buffer.byteLength(texts[index]?.slice(COUNTED) ?? '')
      this.#counts.set(key, (counts[index] ?? 0) + Math.ceil(remainingBytes / BYTES_PER_TOKEN))
    }
  }

  /** Drops the oldest counts, but none in use. */
  #save(used: Texts): void {
    for (const key of this.#counts.keys()) {
      if (this.#counts.size <= MAX_COUNTS) break
      if (!used.has(key)) this.#counts.delete(key)
    }
    const counts = Object.fromEntries([...this.#counts].slice(-MAX_COUNTS))
    // On a full disk the next run counts again.
    attempt(() => writeOwnJson(this.#file, { version: VERSION, counts }, MAX_BYTES))
  }
}
