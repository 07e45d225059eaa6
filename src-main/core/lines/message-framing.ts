const NEWLINE = 10
const CARRIAGE_RETURN = 13
/** The framing header of language servers; an MCP line never looks like this. */
const CONTENT_LENGTH = /^content-length:\s*(\d{1,12})\s*$/iu
const MAX_HEADER_BYTES = 64
/** Kept bytes at each end of an oversized message: an id comes first or last. */
const KEPT_END = 4_096

/** The rest of an oversized message: its size in bytes and both ends. */
export type OversizedMessage = {
  readonly bytes: number
  readonly head: Buffer
  readonly tail: Buffer
}

/** Returns the ends of a complete message that is unreadable for another reason than its size. */
export function endsOf(line: Buffer): OversizedMessage {
  return {
    bytes: line.length,
    head: line.subarray(0, KEPT_END),
    tail: line.subarray(-KEPT_END),
  }
}

/**
 * Splits a byte stream into lines at `\n` in linear time; of a line over `maxBytes` only the ends are kept. After a `Content-Length`
 * header, a message ends after that many bytes instead (LSP, base protocol).
 */
export class MessageFraming {
  #parts: Buffer[] = []
  #size = 0
  #oversized: { readonly head: Buffer; readonly tail: Buffer } | undefined
  /** The announced length, between a `Content-Length` header and the empty line after the headers. */
  #announced: number | undefined
  #left = 0

  /** `onHeader` is called for each `Content-Length` header, and `onEmpty` for each empty line. */
  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: Buffer) => void,
    private readonly onOversized: (message: OversizedMessage) => void,
    private readonly on: { readonly onHeader?: () => void; readonly onEmpty?: () => void } = {},
  ) {}

  /** The end of an unfinished line. */
  get unfinished(): Buffer {
    return this.#oversized?.tail ?? this.#parts.reduce(tailWith, Buffer.alloc(0))
  }

  push(chunk: Buffer): void {
    let from = 0
    while (from < chunk.length) {
      if (this.#left > 0) {
        const part = chunk.subarray(from, from + this.#left)
        this.#left -= part.length
        from += part.length
        this.#add(part)
        if (this.#left === 0) this.#finish()
        continue
      }
      const at = chunk.indexOf(NEWLINE, from)
      this.#add(chunk.subarray(from, at === -1 ? chunk.length : at))
      if (at === -1) return
      this.#finish()
      from = at + 1
    }
  }

  /** Delivers a last line without newline; call once, when the stream has ended. */
  end(): void {
    if (this.#size > 0) this.#finish()
  }

  #add(part: Buffer): void {
    this.#size += part.length
    if (this.#oversized) {
      const { head, tail } = this.#oversized
      this.#oversized = { head, tail: tailWith(tail, part) }
      return
    }
    this.#parts.push(part)
    if (this.#size <= this.maxBytes) return
    const head = Buffer.concat(this.#parts, Math.min(this.#size, KEPT_END))
    this.#oversized = { head, tail: this.#parts.reduce(tailWith, Buffer.alloc(0)) }
    this.#parts = []
  }

  #finish(): void {
    const bytes = this.#size
    const oversized = this.#oversized
    const parts = this.#parts
    this.#size = 0
    this.#oversized = undefined
    this.#parts = []
    if (oversized) {
      this.onOversized({ bytes, ...oversized })
      return
    }
    const [first] = parts
    const line = parts.length === 1 && first ? first : Buffer.concat(parts)
    const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
    if (this.#isHeader(text)) return
    if (text.length > 0) this.onLine(text)
    else this.on.onEmpty?.()
  }

  #isHeader(line: Buffer): boolean {
    if (!this.on.onHeader || this.#left > 0) return false
    if (this.#announced !== undefined) {
      if (line.length > 0) return true
      this.#left = this.#announced
      this.#announced = undefined
      return true
    }
    // The first byte distinguishes most lines from a header.
    if (line.length > MAX_HEADER_BYTES || ((line[0] ?? 0) | 0x20) !== 0x63) return false
    const [, length] = CONTENT_LENGTH.exec(line.toString('latin1')) ?? []
    if (length === undefined) return false
    this.#announced = Number(length)
    this.on.onHeader()
    return true
  }
}

/** Returns a copy of the last bytes of a line so far, so that no chunk is kept in memory. */
function tailWith(tail: Buffer, part: Buffer): Buffer {
  const before = part.length >= KEPT_END ? Buffer.alloc(0) : tail
  return Buffer.concat([before, part.subarray(-KEPT_END)]).subarray(-KEPT_END)
}
