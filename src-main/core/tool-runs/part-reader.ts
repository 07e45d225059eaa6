import type { TextPart } from '../../../src-shared/domain/agents/tool-run'
import { background } from '../lifecycle/background'
import type { Redactor } from '../masking/redact'

/** A text as it is shown: whose masks it has, and how it is made. Another one for each other `key`. */
export type ShownText = {
  readonly key: string
  readonly by: Redactor
  readonly read: () => Promise<string>
}

/** Where a part begins and how long it may be, in UTF-16 units. */
export type Range = { readonly from: number; readonly length: number }

type Held = { readonly by: Redactor; readonly text: Promise<string>; length: number }

/** Texts that are held at a time: two that are compared, in two windows. */
const MOST_TEXTS = 4
/** Of all that are held together, in UTF-16 units; one may be longer. */
const MOST_LENGTH = 64 * 1024 * 1024
/** How long after the last part they are held, in ms. */
const REST_MS = 10_000

/** Gives long texts in parts: each is made once for all of its parts, and let go of when nobody reads on. */
export class PartReader implements Disposable {
  readonly #held = new Map<string, Held>()
  #rest: NodeJS.Timeout | undefined

  constructor(private readonly restMs = REST_MS) {}

  /** Rejects as `read` does. */
  async part(shown: ShownText, { from, length }: Range): Promise<TextPart> {
    this.#keepFor(this.restMs)
    return textPart(await this.#textOf(shown), from, length)
  }

  clear(): void {
    clearTimeout(this.#rest)
    this.#held.clear()
  }

  [Symbol.dispose](): void {
    this.clear()
  }

  #textOf({ key, by, read }: ShownText): Promise<string> {
    const known = this.#held.get(key)
    // What became known as a secret meanwhile is masked in the parts that follow.
    const held = known?.by === by ? known : { by, text: read(), length: 0 }
    this.#held.delete(key)
    this.#held.set(key, held)
    if (held !== known) background(this.#settle(key, held), 'reading a text')
    return held.text
  }

  async #settle(key: string, held: Held): Promise<void> {
    try {
      held.length = (await held.text).length
    } catch {
      // Its caller gets the error.
      if (this.#held.get(key) === held) this.#held.delete(key)
    }
    let total = 0
    for (const { length } of this.#held.values()) total += length
    for (const [oldest, { length }] of this.#held) {
      const isRoomy = this.#held.size <= MOST_TEXTS && total <= MOST_LENGTH
      if (isRoomy || this.#held.size === 1) return
      this.#held.delete(oldest)
      total -= length
    }
  }

  #keepFor(ms: number): void {
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#held.clear(), ms).unref()
  }
}

/**
 * A part of a long text, `length` UTF-16 units at most, or one less so that no surrogate pair is cut; of a pair alone
 * both. Empty behind the end.
 */
export function textPart(text: string, from: number, length: number): TextPart {
  const end = Math.min(from + length, text.length)
  const isInPair = isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end))
  const cut = end - 1 > from ? end - 1 : end + 1
  return { text: text.slice(from, isInPair ? cut : end), length: text.length }
}

function isHigh(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff
}

function isLow(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff
}
