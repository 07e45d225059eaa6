import type { JSONRPCMessage } from '@modelcontextprotocol/client'

import type { MessageEntry } from '../../../src-shared/domain/agents/message-log'
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json-object'
import { keepNewest } from '../lifecycle/keep-newest'
import type { ByteHolder, SharedByteLimit } from '../lifecycle/shared-byte-limit'

/** Session and direction of a message. */
export type MessageOrigin = Pick<MessageEntry, 'session' | 'direction'>

/** A stored message. */
export type StoredMessage = MessageOrigin &
  MessageShape & {
    /** Epoch ms. */
    readonly at: number
    /** Monotonic time, by `performance.now()`. */
    readonly time: number
    /** Size of its text, stored or not. */
    readonly bytes: number
    /** Without final newline; undefined if it is no longer stored or was too long. */
    readonly text: string | undefined
    readonly hasText: boolean
  }

/** Bytes of a memory piece that texts share. */
const PIECE_BYTES = 32 * 1024
/** A longer text gets its own piece, so that shared ones have little unused space. */
const MAX_SHARED_LENGTH = 8 * 1024

/** Place of a message, reused for later ones: new objects for all would keep the garbage collector busy. */
class Slot implements StoredMessage {
  session = 0
  direction: MessageOrigin['direction'] = 'sent'
  kind: MessageShape['kind'] = 'notification'
  method: string | undefined
  id: unknown
  target: string | undefined
  code: number | undefined
  at = Date.now()
  time = performance.now()
  bytes = 0
  /** Contains its text in UTF-8, outside the JavaScript heap; undefined if it isn't stored. */
  piece: Buffer | undefined
  from = 0

  get hasText(): boolean {
    return this.piece !== undefined
  }

  get text(): string | undefined {
    return this.piece?.toString('utf8', this.from, this.from + this.bytes)
  }

  /** Starts over with another message, without its text. */
  reuse({ session, direction }: MessageOrigin, shape: MessageShape, bytes: number): void {
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
  /** Maximum number of messages. */
  readonly mostMessages: number
  /** Maximum bytes of all texts in this ring. */
  readonly mostBytes: number
  /** Maximum bytes of one stored text. */
  readonly longestBytes: number
  /** Shortens a name, a method or an id that is too long to be stored; masks secrets before the cut. */
  readonly shorten: (text: string) => string
}

/** The newest messages of one server, limited in number and bytes; their numbers are never reused. */
export class MessageRing implements ByteHolder, Disposable {
  readonly #counted: Disposable
  /** By `seq` modulo the size. */
  #slots: Slot[] = []
  /** The shared piece that is being filled. */
  #piece = Buffer.alloc(0)
  #written = 0
  #nextSeq = 0
  /** Messages before this number were cleared. */
  #clearedTo = 0
  /** No text before this number is stored. */
  #oldestText = 0
  #bytes = 0
  #isDisposed = false

  constructor(private readonly options: MessageRingOptions) {
    this.#counted = options.room.add(this)
  }

  /** Number of the oldest stored message; the next number if there is none. */
  get firstSeq(): number {
    return Math.max(this.#clearedTo, this.#nextSeq - this.options.mostMessages)
  }

  get nextSeq(): number {
    return this.#nextSeq
  }

  /** Bytes of the stored texts. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds a message sent or received now; `text` is its size in bytes if it must not be stored. Does nothing once disposed. */
  add(origin: MessageOrigin, message: JSONRPCMessage, text: string | Buffer | number): void {
    if (this.#isDisposed) return
    const { mostMessages, mostBytes, longestBytes, shorten, room } = this.options
    const content = typeof text === 'string' && text.endsWith('\n') ? text.slice(0, -1) : text
    const bytes = typeof content === 'number' ? content : Buffer.byteLength(content)
    const isStored = typeof content !== 'number' && bytes <= longestBytes
    const index = this.#nextSeq % mostMessages
    const slot = (this.#slots[index] ??= new Slot())
    if (slot.piece) this.#bytes -= slot.bytes
    slot.reuse(origin, shapeOf(message, shorten), bytes)
    this.#nextSeq += 1
    if (!isStored) return
    this.#write(slot, content)
    this.#bytes += bytes
    while (this.#bytes > mostBytes && this.dropOldest());
    room.enforce()
  }

  /**
   * Returns a message; undefined if it isn't stored or doesn't exist yet. Read it immediately, because a later message reuses the object.
   */
  get(seq: number): StoredMessage | undefined {
    return this.#slotOf(seq)
  }

  /** Drops the oldest text, but keeps its message. */
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

  /** Forgets all messages; the numbers continue. */
  clear(): void {
    this.#clearedTo = this.#nextSeq
    this.#slots = []
    this.#piece = Buffer.alloc(0)
    this.#written = 0
    this.#bytes = 0
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true
    this.clear()
    this.#counted[Symbol.dispose]()
  }

  #slotOf(seq: number): Slot | undefined {
    if (seq < this.firstSeq || seq >= this.#nextSeq) return undefined
    return this.#slots[seq % this.options.mostMessages]
  }

  /** Copies a text: bytes may be a small part of a large chunk, which must not stay in memory. */
  #write(slot: Slot, text: string | Buffer): void {
    if (slot.bytes > MAX_SHARED_LENGTH) {
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

/** Members read from a message. */
type MessageShape = {
  /** By JSON-RPC 2.0. */
  readonly kind: MessageEntry['kind']
  readonly method: string | undefined
  /** A number, a text or null; undefined if absent or of another type. */
  readonly id: unknown
  /** The called or read item. */
  readonly target: string | undefined
  /** Error code. */
  readonly code: number | undefined
}

/** Reads the members of a message without walking it; shortens long ones. */
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
  const errorCode = typeof code === 'number' ? code : undefined
  return { kind, method: undefined, id, target: undefined, code: errorCode }
}

function nameOf(name: string | undefined, shorten: (text: string) => string): string | undefined {
  return name === undefined || name.length <= MAX_KEPT_LENGTH ? name : shorten(name)
}

/** Returns the name or address that is called, read, rendered, subscribed to or completed (MCP). */
function targetOf(params: unknown): string | undefined {
  if (!isJsonObject(params)) return undefined
  const { name, uri, ref } = params
  if (typeof name === 'string') return name
  if (typeof uri === 'string') return uri
  return isJsonObject(ref) ? targetOf({ name: ref.name, uri: ref.uri }) : undefined
}

/** Maximum length of a name, a method or an id, in UTF-16 units; longer ones are shortened. */
const MAX_KEPT_LENGTH = 160
/** Maximum length that is searched for secrets before the cut, which is far earlier. */
const MASKED_LENGTH = 2_000

/** Returns the beginning of a long text, one character longer than any unshortened one; keeps no reference to the whole text. */
export function shorten(text: string, mask: (text: string) => string): string {
  const start = mask(text.slice(0, MASKED_LENGTH)).slice(0, MAX_KEPT_LENGTH)
  return `${Buffer.from(start).toString()}…`
}

/** The request of a response. */
export type RequestMessage = Pick<StoredMessage, 'time' | 'method' | 'target'> & {
  readonly seq: number
}

type OpenRequests = Record<StoredMessage['direction'], Map<unknown, RequestMessage>>

/** Maximum waiting requests of one side; the oldest is dropped. */
const MAX_WAITING = 5_000
/** Maximum sessions of one server that may still send: two, and remains of earlier ones. */
const MAX_SESSIONS = 8
/** Number of messages after which dropped requests are removed. */
const PRUNE_EVERY = 512
const DIGITS = /^\d{1,15}$/u

/** Finds the requests of responses (JSON-RPC 2.0, section 5) on demand. */
export class MessagePairs {
  /** By session, in the order of their start; 1 and "1" are different ids. */
  readonly #pending = new Map<number, OpenRequests>()
  readonly #requests = new Map<number, RequestMessage>()
  #next = 0

  constructor(private readonly ring: MessageRing) {}

  /** Returns the request of the response with this number; undefined if unknown. */
  of(seq: number): RequestMessage | undefined {
    for (let at = Math.max(this.#next, this.ring.firstSeq); at <= seq; at += 1) this.#follow(at)
    this.#next = Math.max(this.#next, seq + 1)
    return this.#requests.get(seq)
  }

  #follow(seq: number): void {
    if (seq % PRUNE_EVERY === 0) this.#prune()
    const stored = this.ring.get(seq)
    if (!stored) return
    const pending = this.#pendingOf(stored.session)
    const { direction, id } = stored
    if (stored.kind === 'request') {
      const { time, method, target } = stored
      if (isKey(id)) keepNewest(pending[direction], id, { seq, time, method, target }, MAX_WAITING)
    } else if (stored.kind !== 'notification') {
      const isReceived = direction === 'received'
      const request = isReceived
        ? takePending(pending.sent, id, true)
        : takePending(pending.received, id, false)
      if (request) this.#requests.set(seq, request)
    }
  }

  #pendingOf(session: number): OpenRequests {
    const existing = this.#pending.get(session)
    if (existing) return existing
    const pending = { sent: new Map(), received: new Map() }
    keepNewest(this.#pending, session, pending, MAX_SESSIONS)
    return pending
  }

  #prune(): void {
    const { firstSeq } = this.ring
    for (const seq of this.#requests.keys()) {
      if (seq >= firstSeq) return
      this.#requests.delete(seq)
    }
  }
}

/** Finds a waiting request; some servers return a numeric id as text. */
function takePending(
  pending: Map<unknown, RequestMessage>,
  id: unknown,
  mayBeText: boolean,
): RequestMessage | undefined {
  const isText = mayBeText && typeof id === 'string' && !pending.has(id) && DIGITS.test(id)
  const key = isText ? Number(id) : id
  const request = pending.get(key)
  if (request) pending.delete(key)
  return request
}

/** A cut id can't be compared. */
function isKey(id: unknown): boolean {
  return typeof id === 'string' ? id.length <= MAX_KEPT_LENGTH : typeof id === 'number'
}
