import type { TextPart } from '../../../src-shared/domain/agents/tool-run'
import { keepNewest } from '../lifecycle/keep-newest'
import type { Redactor } from '../masking/redact'

/** A shown text: its redactor, and how to create it. `key` identifies it. */
export type ShownText = {
  readonly key: string
  readonly by: Redactor
  readonly read: () => Promise<string>
}

/** Start and maximum length of a part, in UTF-16 units. */
export type Range = { readonly from: number; readonly length: number }

type CachedText = { readonly by: Redactor; readonly text: Promise<string> }

/** Maximum number of cached texts: two compared texts in two windows. */
const MAX_TEXTS = 4
/** Time for which a text is cached after the last part, in ms. */
const IDLE_MS = 10_000

/** Returns long texts in parts: each is created once for all its parts, and dropped after some idle time. */
export class PartReader {
  readonly #cache = new Map<string, CachedText>()
  #idleTimer: NodeJS.Timeout | undefined

  constructor(private readonly idleMs = IDLE_MS) {}

  /** Rejects as `read` does. */
  async part({ key, by, read }: ShownText, { from, length }: Range): Promise<TextPart> {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#cache.clear(), this.idleMs).unref()
    const cached = this.#cache.get(key)
    // Secrets that became known meanwhile are masked in the following parts.
    const entry = cached?.by === by ? cached : { by, text: read() }
    keepNewest(this.#cache, key, entry, MAX_TEXTS)
    try {
      return textPart(await entry.text, from, length)
    } catch (error) {
      if (this.#cache.get(key) === entry) this.#cache.delete(key)
      throw error
    }
  }

  /** Drops all texts. */
  clear(): void {
    clearTimeout(this.#idleTimer)
    this.#cache.clear()
  }
}

/**
 * Returns a part of a long text, with at most `length` UTF-16 units, or one fewer to keep a surrogate pair together. A single pair is
 * returned completely. Empty beyond the end.
 */
export function textPart(text: string, from: number, length: number): TextPart {
  const end = Math.min(from + length, text.length)
  const isInPair = (text.codePointAt(end - 1) ?? 0) > 0xffff
  const cut = end - 1 > from ? end - 1 : end + 1
  return { text: text.slice(from, isInPair ? cut : end), length: text.length }
}
