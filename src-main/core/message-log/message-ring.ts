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
    readonly text: string | undefined
    readonly hasText: boolean
  }

/** Bytes of a piece of memory that texts share. */
const PIECE_BYTES = 32 * 1024
/** A longer text has a piece of its own, so that little of a shared one stays empty. */
const LONGEST_SHARED = 8 * 1024

/** Where a message stands, and then the one that takes its place: new objects for all would keep the collector busy. */
class Slot implements HeldMessage {
  session = 0
  direction: Way['direction'] = 'sent'
  kind: MessageShape['kind'] = 'notification'
  method: string | undefined
  id: unknown
  target: string | undefined
  code: number | undefined
  at = Date.now()
  time = performance.now()
  bytes = 0
  /** Has its text in UTF-8, beside the JavaScript heap; undefined where it is not held. */
  piece: Buffer | undefined
  from = 0

  get hasText(): boolean {
    return this.piece !== undefined
  }

  get text(): string | undefined {
    return this.piece?.toString('utf8', this.from, this.from + this.bytes)
  }

  /** Begins with another message, without its text. */
  take({ session, direction }: Way, shape: MessageShape, bytes: number): void {
    this.at = Date.now()
    this.time = performance.now()
    this.session = session
    this.direction = direction
    this.kind = shape.kind
    this.method = shape.method
    this.id = shape.id
    this.target = shape.target
    this.code = shape.code
    this.bytes = bytes
    this.piece = undefined
  }
}

export type MessageRingOptions = {
  readonly room: SharedByteLimit
  /** Older ones than so many are gone. */
  readonly mostMessages: number
  /** Of all texts that are held here, in bytes. */
  readonly mostBytes: number
  /** A longer text is not held, in bytes. */
  readonly longestBytes: number
  /** Shortens a name, a method or an id that is too long to be kept; secrets are masked before the cut. */
  readonly shorten: (text: string) => string
}

/** The newest messages of one server, bounded in number and in bytes; each has a number that never comes again. */
export class MessageRing implements ByteHolder, Disposable {
  readonly #counted: Disposable
  /** By `seq`, which goes round. */
  #slots: Slot[] = []
  /** The shared piece that is written to. */
  #piece = Buffer.alloc(0)
  #written = 0
  #nextSeq = 0
  /** Those before it were cleared. */
  #clearedTo = 0
  /** No text before it is held. */
  #oldestText = 0
  #bytes = 0
  #isOver = false

  constructor(private readonly options: MessageRingOptions) {
    this.#counted = options.room.add(this)
  }

  /** The oldest that is held; the next one where there is none. */
  get firstSeq(): number {
    return Math.max(this.#clearedTo, this.#nextSeq - this.options.mostMessages)
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
    const { mostMessages, mostBytes, longestBytes, shorten, room } = this.options
    const own = typeof text === 'string' && text.endsWith('\n') ? text.slice(0, -1) : text
    const bytes = typeof own === 'number' ? own : Buffer.byteLength(own)
    const isHeld = typeof own !== 'number' && bytes <= longestBytes
    const index = this.#nextSeq % mostMessages
    const slot = (this.#slots[index] ??= new Slot())
    if (slot.piece) this.#bytes -= slot.bytes
    slot.take(way, shapeOf(message, shorten), bytes)
    this.#nextSeq += 1
    if (!isHeld) return
    this.#write(slot, own)
    this.#bytes += bytes
    while (this.#bytes > mostBytes && this.dropOldest());
    room.settle()
  }

  /** Undefined where it is not held, or not there yet. To be read immediately: a later message takes its place. */
  get(seq: number): HeldMessage | undefined {
    return this.#slotOf(seq)
  }

  /** Lets go of the oldest text; what is known of its message stays. */
  dropOldest(): boolean {
    for (let seq = Math.max(this.#oldestText, this.firstSeq); seq < this.#nextSeq; seq += 1) {
      const slot = this.#slotOf(seq)
      this.#oldestText = seq + 1
      if (!slot?.piece) continue
      slot.piece = undefined
      this.#bytes -= slot.bytes
      return true
    }
    return false
  }

  /** Forgets all; the numbers go on. */
  clear(): void {
    this.#clearedTo = this.#nextSeq
    this.#slots = []
    this.#piece = Buffer.alloc(0)
    this.#written = 0
    this.#bytes = 0
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.clear()
    this.#counted[Symbol.dispose]()
  }

  #slotOf(seq: number): Slot | undefined {
    if (seq < this.firstSeq || seq >= this.#nextSeq) return undefined
    return this.#slots[seq % this.options.mostMessages]
  }

  /** Copies a text: one that came as bytes may be a small part of a large chunk, which is not to stay with it. */
  #write(slot: Slot, text: string | Buffer): void {
    if (slot.bytes > LONGEST_SHARED) {
      slot.piece = Buffer.allocUnsafeSlow(slot.bytes)
      slot.from = 0
    } else {
      if (this.#written + slot.bytes > this.#piece.length) {
        this.#piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
        this.#written = 0
      }
      slot.piece = this.#piece
      slot.from = this.#written
      this.#written += slot.bytes
    }
    if (typeof text === 'string') slot.piece.write(text, slot.from)
    else slot.piece.set(text, slot.from)
  }
}
