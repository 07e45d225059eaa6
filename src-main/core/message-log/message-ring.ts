import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import { keepNewest } from '../lifecycle/keep-newest'
import type { ByteHolder, SharedByteLimit } from '../lifecycle/shared-byte-limit'

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

/** What a message says of itself. */
type MessageShape = {
  /** By JSON-RPC 2.0. */
  readonly kind: MessageEntry['kind']
  readonly method: string | undefined
  /** A number, a text or null; undefined where there is none, or anything else. */
  readonly id: unknown
  /** What is called or read. */
  readonly target: string | undefined
  /** Of an error. */
  readonly code: number | undefined
}

/** Looks at a message without going through it; what is longer than a name is shortened. */
function shapeOf(message: JSONRPCMessage, shorten: (text: string) => string): MessageShape {
  const { id: rawId, method: rawMethod, params, error } = message as JsonObject
  const isPlain = typeof rawId === 'number' || rawId === null
  const id = typeof rawId === 'string' ? nameOf(rawId, shorten) : isPlain ? rawId : undefined
  if (typeof rawMethod === 'string') {
    const kind = rawId === undefined ? 'notification' : 'request'
    const method = nameOf(rawMethod, shorten)
    const target = params === undefined ? undefined : nameOf(targetOf(params), shorten)
    return { kind, method, id, target, code: undefined }
  }
  const kind = error === undefined ? 'result' : 'error'
  const { code } = isJsonObject(error) ? error : {}
  const own = typeof code === 'number' ? code : undefined
  return { kind, method: undefined, id, target: undefined, code: own }
}

function nameOf(name: string | undefined, shorten: (text: string) => string): string | undefined {
  return name === undefined || name.length <= LONGEST_KEPT ? name : shorten(name)
}

/** The name or address of what is called, read, rendered, subscribed to or completed (MCP). */
function targetOf(params: unknown): string | undefined {
  if (!isJsonObject(params)) return undefined
  const { name, uri, ref } = params
  if (typeof name === 'string') return name
  if (typeof uri === 'string') return uri
  return isJsonObject(ref) ? targetOf({ name: ref.name, uri: ref.uri }) : undefined
}

/** Of a name, a method or an id, in UTF-16 units; a longer one is shortened. */
const LONGEST_KEPT = 160
/** How much of one is looked through for secrets before the cut, which lies far before its end. */
const LOOKED_THROUGH = 2_000

/** The beginning of a long text, longer than what is not shortened by a sign; nothing of the whole text stays in memory for it. */
export function shorten(text: string, mask: (text: string) => string): string {
  const start = mask(text.slice(0, LOOKED_THROUGH)).slice(0, LONGEST_KEPT)
  return `${Buffer.from(start).toString()}…`
}

/** What an answer is to. */
export type RequestMessage = Pick<HeldMessage, 'time' | 'method' | 'target'> & {
  readonly seq: number
}

type Waiting = Record<HeldMessage['direction'], Map<unknown, RequestMessage>>

/** Requests of one side that wait for their answers; once there are more, the oldest is given up. */
const MOST_WAITING = 5_000
/** Sessions of one server that may still say something: two, and what is left of earlier ones. */
const MOST_SESSIONS = 8
/** After so many messages it is looked which of them are gone. */
const PRUNE_EVERY = 512
const DIGITS = /^\d{1,15}$/u

/** Finds the requests that answers are to (JSON-RPC 2.0, section 5), once somebody looks. */
export class MessagePairs {
  /** By session, in the order in which they began; 1 and "1" are two ids. */
  readonly #waiting = new Map<number, Waiting>()
  readonly #asked = new Map<number, RequestMessage>()
  #next = 0

  constructor(private readonly ring: MessageRing) {}

  /** The request that the answer of this number is to; undefined where that is not known. */
  of(seq: number): RequestMessage | undefined {
    for (let at = Math.max(this.#next, this.ring.firstSeq); at <= seq; at += 1) this.#follow(at)
    this.#next = Math.max(this.#next, seq + 1)
    return this.#asked.get(seq)
  }

  #follow(seq: number): void {
    if (seq % PRUNE_EVERY === 0) this.#prune()
    const held = this.ring.get(seq)
    if (!held) return
    const waiting = this.#waitingOf(held.session)
    const { direction, id } = held
    if (held.kind === 'request') {
      const { time, method, target } = held
      if (isKey(id)) keepNewest(waiting[direction], id, { seq, time, method, target }, MOST_WAITING)
    } else if (held.kind !== 'notification') {
      const isReceived = direction === 'received'
      const asked = isReceived ? take(waiting.sent, id, true) : take(waiting.received, id, false)
      if (asked) this.#asked.set(seq, asked)
    }
  }

  #waitingOf(session: number): Waiting {
    const known = this.#waiting.get(session)
    if (known) return known
    const waiting = { sent: new Map(), received: new Map() }
    keepNewest(this.#waiting, session, waiting, MOST_SESSIONS)
    return waiting
  }

  #prune(): void {
    const { firstSeq } = this.ring
    for (const seq of this.#asked.keys()) {
      if (seq >= firstSeq) return
      this.#asked.delete(seq)
    }
  }
}

/** Some servers send our numbers back as texts, which is taken for the answer. */
function take(
  waiting: Map<unknown, RequestMessage>,
  id: unknown,
  mayBeText: boolean,
): RequestMessage | undefined {
  const isText = mayBeText && typeof id === 'string' && !waiting.has(id) && DIGITS.test(id)
  const key = isText ? Number(id) : id
  const asked = waiting.get(key)
  if (asked) waiting.delete(key)
  return asked
}

/** Of an id that was cut it is not known whether it is the same. */
function isKey(id: unknown): boolean {
  return typeof id === 'string' ? id.length <= LONGEST_KEPT : typeof id === 'number'
}
