import type { TextPart } from '../../../src-shared/domain/agents/tool-run'
import { keepNewest } from '../lifecycle/keep-newest'
import type { Redactor } from '../masking/redact'

/** A text as it is shown: whose masks it has, and how it is made. Another one for each other `key`. */
export type ShownText = {
  readonly key: string
  readonly by: Redactor
  readonly read: () => Promise<string>
}

/** Where a part begins and how long it may be, in UTF-16 units. */
export type Range = { readonly from: number; readonly length: number }

type Held = { readonly by: Redactor; readonly text: Promise<string> }

/** Texts that are held at a time: two that are compared, in two windows. */
const MOST_TEXTS = 4
/** How long after the last part they are held, in ms. */
const REST_MS = 10_000

/** Gives long texts in parts: each is made once for all of its parts, and let go of when nobody reads on. */
export class PartReader {
  readonly #held = new Map<string, Held>()
  #rest: NodeJS.Timeout | undefined

  constructor(private readonly restMs = REST_MS) {}

  /** Rejects as `read` does. */
  async part({ key, by, read }: ShownText, { from, length }: Range): Promise<TextPart> {
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#held.clear(), this.restMs).unref()
    const known = this.#held.get(key)
    // What became known as a secret meanwhile is masked in the parts that follow.
    const held = known?.by === by ? known : { by, text: read() }
    keepNewest(this.#held, key, held, MOST_TEXTS)
    try {
      return textPart(await held.text, from, length)
    } catch (error) {
      if (this.#held.get(key) === held) this.#held.delete(key)
      throw error
    }
  }

  /** Lets go of all. */
  clear(): void {
    clearTimeout(this.#rest)
    this.#held.clear()
  }
}

/**
 * A part of a long text, `length` UTF-16 units at most, or one less so that no surrogate pair is cut; of a pair alone
 * both. Empty behind the end.
 */
export function textPart(text: string, from: number, length: number): TextPart {
  const end = Math.min(from + length, text.length)
  const isInPair = (text.codePointAt(end - 1) ?? 0) > 0xffff
  const cut = end - 1 > from ? end - 1 : end + 1
  return { text: text.slice(from, isInPair ? cut : end), length: text.length }
}
