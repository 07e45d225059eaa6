import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import { EntryPage, type HeldMessage, type Moment, PAGE_LENGTH, type Way } from './entry-page'
import { shapeOf } from './message-shape'
import { MessageTextBuffer, type MessageTextBufferOptions, type Place } from './message-text-buffer'

/** How long the two clocks are taken to go alike, in ms: a look at one costs a third of what is done with a message. */
const ALIKE_MS = 100

/** When messages cross a line. */
class MessageClock implements Moment {
  at = 0
  time = 0
  #offset = 0
  #checkedAt = -Infinity

  /** Looks at the clocks; it is itself what it tells, until it looks again. */
  look(): Moment {
    const time = performance.now()
    if (time - this.#checkedAt > ALIKE_MS) {
      this.#offset = Date.now() - time
      this.#checkedAt = time
    }
    this.time = time
    this.at = time + this.#offset
    return this
  }
}

/** After so many messages the texts of those are let go of that are gone. */
const LET_GO_EVERY = 64

export type MessageRingOptions = MessageTextBufferOptions & {
  /** Older ones than so many are gone. */
  readonly mostMessages: number
  /** Shortens a name, a method or an id that is too long to be kept; secrets are masked before the cut. */
  readonly shorten: (text: string) => string
}

/** The newest messages of one server, bounded in number and in bytes; each has a number that never comes again. */
export class MessageRing implements Disposable {
  readonly #options: MessageRingOptions
  readonly #clock = new MessageClock()
  readonly #texts: MessageTextBuffer
  /** Those with `seq` from `#firstPage * PAGE_LENGTH` on. */
  #pages: EntryPage[] = []
  #newest: EntryPage | undefined
  #firstPage = 0
  #nextSeq = 0
  /** Those before it were cleared. */
  #clearedTo = 0
  #isOver = false

  constructor(options: MessageRingOptions) {
    this.#options = options
    this.#texts = new MessageTextBuffer(options)
  }

  /** The oldest that is held; the next one where there is none. */
  get firstSeq(): number {
    return Math.max(this.#clearedTo, this.#nextSeq - this.#options.mostMessages)
  }

  get nextSeq(): number {
    return this.#nextSeq
  }

  /** Of the texts that are held. */
  get bytes(): number {
    return this.#texts.bytes
  }

  /** Adds a message that crosses a line now; `text` is its size in bytes where it is not to be held. Once disposed, nothing is. */
  add(way: Way, message: JSONRPCMessage, text: string | Buffer | number): void {
    if (this.#isOver) return
    const seq = this.#nextSeq
    const index = seq % PAGE_LENGTH
    const page = (index === 0 ? undefined : this.#newest) ?? this.#begin()
    this.#nextSeq = seq + 1
    if (seq % LET_GO_EVERY === 0) this.#texts.letGoBefore(this.firstSeq)
    const moment = this.#clock.look()
    const shape = shapeOf(message, this.#options.shorten)
    const place =
      typeof text === 'number' ? { piece: 0, from: 0, bytes: text } : this.#texts.put(seq, text)
    page.set(index, way, moment, shape, place)
  }

  /** Undefined where it is not held, or not there yet. */
  get(seq: number): HeldMessage | undefined {
    if (seq < this.firstSeq || seq >= this.#nextSeq) return undefined
    return this.#pages[Math.floor(seq / PAGE_LENGTH) - this.#firstPage]?.get(seq % PAGE_LENGTH)
  }

  /** Undefined where it is held no more. */
  textOf(place: Place): string | undefined {
    return this.#texts.get(place)
  }

  hasText({ piece }: Place): boolean {
    return this.#texts.has(piece)
  }

  /** Forgets all; the numbers go on. */
  clear(): void {
    this.#clearedTo = this.#nextSeq
    this.#pages = []
    this.#newest = undefined
    this.#texts.clear()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.clear()
    this.#texts[Symbol.dispose]()
  }

  #begin(): EntryPage {
    const number = Math.floor(this.#nextSeq / PAGE_LENGTH)
    if (this.#pages.length === 0) this.#firstPage = number
    const { firstSeq } = this
    let gone: EntryPage | undefined
    while (this.#pages.length > 0 && (this.#firstPage + 1) * PAGE_LENGTH <= firstSeq) {
      gone = this.#pages.shift()
      this.#firstPage += 1
    }
    gone?.clear()
    this.#newest = gone ?? new EntryPage()
    this.#pages.push(this.#newest)
    return this.#newest
  }
}
