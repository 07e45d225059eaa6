import type { SharedByteLimit, TextHolder } from './shared-byte-limit'

/** Bytes of a piece that many texts share. */
const PIECE_BYTES = 32 * 1024
/** A longer text has a piece of its own, so that little of a shared one stays empty. */
const LONGEST_SHARED = 8 * 1024
/** What a text that is kept as it came may hold beside itself: a small one may be a slice of a large chunk. */
const MOST_SLACK = 256
/** Bytes of UTF-8 that a UTF-16 unit becomes at most. */
const MOST_A_UNIT = 3
/** Pieces that are kept to be written again. */
const MOST_SPARES = 4
const NEWLINE = 0x0a

/** Where a text lies; it is gone once its piece is. */
export type Place = { readonly piece: number; readonly from: number; readonly bytes: number }

type Piece = {
  readonly bytes: Buffer
  /** How much of it is written. */
  used: number
  /** Of the newest message in it. */
  lastSeq: number
}

export type MessageTextBufferOptions = {
  readonly room: SharedByteLimit
  /** Of all texts that are held here. */
  readonly mostBytes: number
  /** A longer text is not held. */
  readonly longestBytes: number
}

/**
 * Texts of messages in UTF-8 beside the JavaScript heap, where thousands of them cost the collector nothing. Short ones are
 * written one behind the other into pieces, long ones have their own; the pieces with the oldest messages go first.
 */
export class MessageTextBuffer implements TextHolder, Disposable {
  /** In the order in which they were begun, which with those of one text is that of their messages. */
  readonly #shared = new Map<number, Piece>()
  readonly #own = new Map<number, Piece>()
  readonly #options: MessageTextBufferOptions
  readonly #counted: Disposable
  #current: Piece | undefined
  #currentNumber = 0
  #nextNumber = 1
  #bytes = 0
  /** The bytes of pieces that are gone, for the next ones: given back, they would wait for the collector first. */
  readonly #spares: Buffer[] = []

  constructor(options: MessageTextBufferOptions) {
    this.#options = options
    this.#counted = options.room.add(this)
  }

  /** What the pieces take, full or not. */
  get bytes(): number {
    return this.#bytes
  }

  /** Holds the text of a message, without the newline at its end; where it is too long, only its size is told: `piece` is 0. */
  put(seq: number, text: string | Buffer): Place {
    const isShort = text.length <= LONGEST_SHARED
    if (typeof text === 'string') return isShort ? this.#write(seq, text) : this.#putLong(seq, text)
    return isShort ? this.#copy(seq, text) : this.#putLong(seq, text)
  }

  /** Undefined where it is gone. */
  get({ piece, from, bytes }: Place): string | undefined {
    const held = this.#shared.get(piece) ?? this.#own.get(piece)
    return held?.bytes.toString('utf8', from, from + bytes)
  }

  has(piece: number): boolean {
    return this.#shared.has(piece) || this.#own.has(piece)
  }

  /** Lets go of all texts of messages before `seq`, as far as no later one shares their piece. */
  letGoBefore(seq: number): void {
    for (const pieces of [this.#shared, this.#own])
      for (const [number, piece] of pieces) {
        if (piece.lastSeq >= seq) break
        this.#drop(pieces, number, piece)
      }
  }

  /** Lets go of the piece whose newest message is the oldest; whether there was any. */
  letGoOldest(): boolean {
    const [shared] = this.#shared
    const [own] = this.#own
    const isShared = shared && (!own || shared[1].lastSeq < own[1].lastSeq)
    const oldest = isShared ? shared : own
    if (!oldest) return false
    this.#drop(isShared ? this.#shared : this.#own, ...oldest)
    return true
  }

  /** Lets go of all. */
  clear(): void {
    this.#shared.clear()
    this.#own.clear()
    this.#current = undefined
    this.#spares.length = 0
    this.#bytes = 0
  }

  [Symbol.dispose](): void {
    this.clear()
    this.#counted[Symbol.dispose]()
  }

  #write(seq: number, text: string): Place {
    // Counted only where it may not fit.
    const isRoomy = text.length * MOST_A_UNIT <= this.#left
    const piece = this.#pieceFor(seq, isRoomy ? 0 : Buffer.byteLength(text))
    const from = piece.used
    const written = piece.bytes.write(text, from)
    const bytes = piece.bytes[from + written - 1] === NEWLINE ? written - 1 : written
    piece.used += bytes
    return { piece: this.#currentNumber, from, bytes }
  }

  #copy(seq: number, text: Buffer): Place {
    const piece = this.#pieceFor(seq, text.length)
    const from = piece.used
    piece.bytes.set(text, from)
    piece.used += text.length
    return { piece: this.#currentNumber, from, bytes: text.length }
  }

  #putLong(seq: number, text: string | Buffer): Place {
    const { longestBytes } = this.#options
    const length = typeof text === 'string' ? Buffer.byteLength(text) : text.length
    const isLine = typeof text === 'string' && text.endsWith('\n')
    const bytes = isLine ? length - 1 : length
    if (bytes > longestBytes) return { piece: 0, from: 0, bytes }
    const number = this.#nextNumber
    this.#nextNumber += 1
    const held = typeof text === 'string' ? encoded(text, length) : compact(text)
    this.#own.set(number, { bytes: held, used: bytes, lastSeq: seq })
    this.#grow(held.length)
    return { piece: number, from: 0, bytes }
  }

  get #left(): number {
    return this.#current ? PIECE_BYTES - this.#current.used : 0
  }

  /** The piece that is written into, or a new one where so many bytes do not fit. */
  #pieceFor(seq: number, bytes: number): Piece {
    const piece = this.#current && bytes <= this.#left ? this.#current : this.#begin(seq)
    piece.lastSeq = seq
    return piece
  }

  #begin(seq: number): Piece {
    // Room is made first, as nothing may take away what is about to be written.
    this.#current = undefined
    this.#grow(PIECE_BYTES)
    const bytes = this.#spares.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES)
    const piece = { bytes, used: 0, lastSeq: seq }
    this.#currentNumber = this.#nextNumber
    this.#nextNumber += 1
    this.#shared.set(this.#currentNumber, piece)
    this.#current = piece
    return piece
  }

  #grow(bytes: number): void {
    this.#bytes += bytes
    while (this.#bytes > this.#options.mostBytes && this.letGoOldest());
    this.#options.room.settle()
  }

  #drop(pieces: Map<number, Piece>, number: number, piece: Piece): void {
    pieces.delete(number)
    this.#bytes -= piece.bytes.length
    const isSpare = pieces === this.#shared && this.#spares.length < MOST_SPARES
    if (isSpare) this.#spares.push(piece.bytes)
    if (piece === this.#current) this.#current = undefined
  }
}

function encoded(text: string, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  bytes.write(text)
  return bytes
}

/** The same bytes with next to nothing beside them. */
function compact(text: Buffer): Buffer {
  if (text.buffer.byteLength - text.length <= MOST_SLACK) return text
  const bytes = Buffer.allocUnsafeSlow(text.length)
  bytes.set(text)
  return bytes
}
