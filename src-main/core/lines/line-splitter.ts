/** A line of more bytes than this is given out in parts. */
export const LONG_LINE = 8_192

export type LineReceiver = {
  /** A line of at most `LONG_LINE` bytes, without its end. `isCut`: the stream ended before the line did. */
  readonly onLine: (text: string, isCut: boolean) => void
  /** Some bytes of a longer line, in order; a character may be spread over two parts. Not to be kept. */
  readonly onLongPart: (bytes: Buffer) => void
  readonly onLongEnd: (isCut: boolean) => void
}

const LF = 10
const CR = 13

/**
 * Splits a byte stream into lines at LF and CRLF, in memory of two lines of `LONG_LINE` bytes. As in a terminal, text behind a
 * lone CR (a progress bar) replaces the text before it. UTF-8 has neither byte within a character, so only long lines are
 * cut inside one.
 */
export class LineSplitter {
  /** The begin of a line whose end has not come yet. */
  readonly #partial = Buffer.allocUnsafe(LONG_LINE)
  #length = 0
  #isLong = false
  /** Text that ended at a CR, which the next text replaces. */
  #held: string | undefined
  /** A long line ended at a CR and was given out: an LF right behind it belongs to that end. */
  #isBehindLong = false

  constructor(private readonly receiver: LineReceiver) {}

  /** Takes bytes until `isTimeUp` says so after a line or part; returns how many were taken, at least one. */
  push(chunk: Buffer, isTimeUp: () => boolean = () => false): number {
    let from = 0
    let feed = -1
    let back = -1
    while (from < chunk.length) {
      // Each is looked for again only once it is passed, so that a chunk is searched once.
      if (feed < from) feed = indexOrEnd(chunk, LF, from)
      if (back < from) back = indexOrEnd(chunk, CR, from)
      const end = Math.min(feed, back)
      const isLine = end < chunk.length && end - from <= LONG_LINE
      const upTo = Math.min(end, from + LONG_LINE)
      if (!isLine) this.#keep(chunk, from, upTo)
      else if (chunk[end] === CR) this.#hold(chunk, from, end)
      else this.#finish(chunk, from, end)
      from = isLine ? end + 1 : upTo
      if (from < chunk.length && isTimeUp()) return from
    }
    return chunk.length
  }

  /** The begin of a line whose end has not come, or what a progress bar shows; empty for a long line. */
  get unfinished(): string {
    return this.#length > 0 ? this.#partial.toString('utf8', 0, this.#length) : (this.#held ?? '')
  }

  /** Gives out a last line without its end; call once, when the stream has ended. */
  end(): void {
    if (this.#isLong || this.#length > 0) this.#finish(this.#partial, 0, 0, true)
    else if (this.#held !== undefined) this.receiver.onLine(this.#held, false)
    this.#held = undefined
  }

  /** Forgets the line that has begun, as the bytes behind it will not come. */
  drop(): void {
    if (this.#isLong) this.receiver.onLongEnd(true)
    this.#isLong = false
    this.#length = 0
    this.#held = undefined
    this.#isBehindLong = false
  }

  #keep(chunk: Buffer, from: number, to: number): void {
    if (!this.#isLong && this.#length + to - from <= LONG_LINE) {
      this.#length += chunk.copy(this.#partial, this.#length, from, to)
      return
    }
    this.#goLong()
    this.receiver.onLongPart(chunk.subarray(from, to))
  }

  #goLong(): void {
    this.#isLong = true
    this.#held = undefined
    if (this.#length > 0) this.receiver.onLongPart(this.#partial.subarray(0, this.#length))
    this.#length = 0
  }

  /** Keeps the text before a CR until it is known whether other text replaces it. */
  #hold(chunk: Buffer, from: number, to: number): void {
    if (this.#isOver(to - from)) {
      this.#finishLong(chunk, from, to, false)
      this.#isBehindLong = true
    } else {
      const text = this.#take(chunk, from, to)
      if (text === '') return
      this.#held = text
      this.#isBehindLong = false
    }
  }

  #finish(chunk: Buffer, from: number, to: number, isCut = false): void {
    if (this.#isOver(to - from)) {
      this.#finishLong(chunk, from, to, isCut)
    } else {
      const text = this.#take(chunk, from, to)
      const held = this.#held ?? ''
      this.#held = undefined
      if (text !== '' || !this.#isBehindLong) this.receiver.onLine(text === '' ? held : text, isCut)
    }
    this.#isBehindLong = false
  }

  #isOver(more: number): boolean {
    return this.#isLong || this.#length + more > LONG_LINE
  }

  #finishLong(chunk: Buffer, from: number, to: number, isCut: boolean): void {
    this.#goLong()
    if (to > from) this.receiver.onLongPart(chunk.subarray(from, to))
    this.#isLong = false
    this.receiver.onLongEnd(isCut)
  }

  /** The text that has come so far with these bytes. */
  #take(chunk: Buffer, from: number, to: number): string {
    if (this.#length === 0) return chunk.toString('utf8', from, to)
    this.#length += chunk.copy(this.#partial, this.#length, from, to)
    const text = this.#partial.toString('utf8', 0, this.#length)
    this.#length = 0
    return text
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from)
  return at === -1 ? chunk.length : at
}
