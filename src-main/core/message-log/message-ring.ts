import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import type { ByteHolder, SharedByteLimit } from '../lifecycle/shared-byte-limit'
import { type MessageShape, shapeOf } from './message-shape'

/** Whose line a message crosses, and which way. */
export type Way = Pick<MessageEntry, 'session' | 'direction'>

/** A message as it is held. */
export type HeldMessage = Way &
  MessageShape & {
    /** Epoch ms. */
    readonly at: number
    /** The same by `performance.now()`. */
    readonly time: number
    /** What its text takes, held or not. */
    readonly bytes: number
    /** Without the newline at its end; undefined where it is held no more, or was too long. */
    text: string | Buffer | undefined
  }

export type MessageRingOptions = {
  readonly room: SharedByteLimit
  /** Older ones than so many are gone. */
  readonly mostMessages: number
  /** Of all texts that are held here. */
  readonly mostBytes: number
  /** A longer text is not held. */
  readonly longestBytes: number
  /** Shortens a name, a method or an id that is too long to be kept; secrets are masked before the cut. */
  readonly shorten: (text: string) => string
}

/** The newest messages of one server, bounded in number and in bytes; each has a number that never comes again. */
export class MessageRing implements ByteHolder, Disposable {
  readonly #options: MessageRingOptions
  readonly #counted: Disposable
  /** By `seq`, which goes round. */
  #messages: HeldMessage[] = []
  #nextSeq = 0
  /** Those before it were cleared. */
  #clearedTo = 0
  /** No text before it is held. */
  #oldestText = 0
  #bytes = 0
  #isOver = false

  constructor(options: MessageRingOptions) {
    this.#options = options
    this.#counted = options.room.add(this)
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
    return this.#bytes
  }

  /** Adds a message that crosses a line now; `text` is its size in bytes where it is not to be held. Once disposed, nothing is. */
  add(way: Way, message: JSONRPCMessage, text: string | Buffer | number): void {
    if (this.#isOver) return
    const { mostMessages, mostBytes, longestBytes, shorten, room } = this.#options
    const own = typeof text === 'string' && text.endsWith('\n') ? text.slice(0, -1) : text
    const bytes = typeof own === 'number' ? own : Buffer.byteLength(own)
    const isHeld = typeof own !== 'number' && bytes <= longestBytes
    const slot = this.#nextSeq % mostMessages
    const gone = this.#messages[slot]
    if (gone?.text !== undefined) this.#bytes -= gone.bytes
    this.#messages[slot] = {
      ...{ session: way.session, direction: way.direction, bytes },
      ...{ at: Date.now(), time: performance.now() },
      ...shapeOf(message, shorten),
      // Bytes may be a small part of a large chunk, which is not to stay with them.
      text: isHeld ? (typeof own === 'string' ? own : Buffer.from(own)) : undefined,
    }
    this.#nextSeq += 1
    if (!isHeld) return
    this.#bytes += bytes
    while (this.#bytes > mostBytes && this.dropOldest());
    room.settle()
  }

  /** Undefined where it is not held, or not there yet. */
  get(seq: number): HeldMessage | undefined {
    if (seq < this.firstSeq || seq >= this.#nextSeq) return undefined
    return this.#messages[seq % this.#options.mostMessages]
  }

  /** Lets go of the oldest text; what is known of its message stays. */
  dropOldest(): boolean {
    for (let seq = Math.max(this.#oldestText, this.firstSeq); seq < this.#nextSeq; seq += 1) {
      const message = this.get(seq)
      this.#oldestText = seq + 1
      if (message?.text === undefined) continue
      message.text = undefined
      this.#bytes -= message.bytes
      return true
    }
    return false
  }

  /** Forgets all; the numbers go on. */
  clear(): void {
    this.#clearedTo = this.#nextSeq
    this.#messages = []
    this.#bytes = 0
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.clear()
    this.#counted[Symbol.dispose]()
  }
}
