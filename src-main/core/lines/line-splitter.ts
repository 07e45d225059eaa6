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
 * Splits a byte stream into lines at LF, CRLF and a lone CR (progress bars), in memory of one line of
 * `LONG_LINE` bytes. UTF-8 has neither byte within a character, so only long lines are cut inside one.
 */
export class LineSplitter {
  /** The begin of a line whose end has not come yet. */
  readonly #partial = Buffer.allocUnsafe(LONG_LINE)
  #length = 0
  #isLong = false
  /** The last line ended at a CR: an LF right behind it belongs to that end. */
  #isBehindReturn = false

  constructor(private readonly receiver: LineReceiver) {}

  /** Takes bytes until `isTimeUp` says so after a line or part; returns how many were taken, at least one. */
  push(chunk: Buffer, isTimeUp: () => boolean = () => false): number {
    let from = this.#isBehindReturn && chunk[0] === LF ? 1 : 0
    this.#isBehindReturn = false
    let feed = -1
    let back = -1
    while (from < chunk.length) {
      // Each is looked for anew only once it is passed, so that a chunk is searched once.
      if (feed < from) feed = indexOrEnd(chunk, LF, from)
      if (back < from) back = indexOrEnd(chunk, CR, from)
      const end = Math.min(feed, back)
      const isLine = end < chunk.length && end - from <= LONG_LINE
      const upTo = Math.min(end, from + LONG_LINE)
      if (isLine) this.#finish(chunk, from, end)
      else this.#keep(chunk, from, upTo)
      from = isLine ? this.#behindEnd(chunk, end) : upTo
      if (from < chunk.length && isTimeUp()) return from
    }
    return chunk.length
  }

  /** Gives out a last line without its end; call once, when the stream has ended. */
  end(): void {
    if (this.#isLong || this.#length > 0) this.#finish(this.#partial, 0, 0, true)
  }

  /** Forgets the line that has begun, as the bytes behind it will not come. */
  drop(): void {
    if (this.#isLong) this.receiver.onLongEnd(true)
    this.#isLong = false
    this.#length = 0
    this.#isBehindReturn = false
  }

  #behindEnd(chunk: Buffer, end: number): number {
    if (chunk[end] === LF) return end + 1
    if (end + 1 === chunk.length) this.#isBehindReturn = true
    return chunk[end + 1] === LF ? end + 2 : end + 1
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
    if (this.#length > 0) this.receiver.onLongPart(this.#partial.subarray(0, this.#length))
    this.#length = 0
  }

  #finish(chunk: Buffer, from: number, to: number, isCut = false): void {
    if (this.#isLong || this.#length + to - from > LONG_LINE) {
      this.#goLong()
      if (to > from) this.receiver.onLongPart(chunk.subarray(from, to))
      this.#isLong = false
      this.receiver.onLongEnd(isCut)
    } else if (this.#length === 0) {
      this.receiver.onLine(chunk.toString('utf8', from, to), isCut)
    } else {
      this.#length += chunk.copy(this.#partial, this.#length, from, to)
      const text = this.#partial.toString('utf8', 0, this.#length)
      this.#length = 0
      this.receiver.onLine(text, isCut)
    }
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from)
  return at === -1 ? chunk.length : at
}
