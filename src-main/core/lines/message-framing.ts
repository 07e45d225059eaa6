const NEWLINE = 10
const CARRIAGE_RETURN = 13
/** How much is kept of each end of a message over the limit, in bytes: an id stands first or last. */
const KEPT_END = 4_096

/** What is left of a message that was over the limit: its size in bytes and both its ends. */
export type OversizedMessage = {
  readonly bytes: number
  readonly head: Buffer
  readonly tail: Buffer
}

/** What would be left of a message that is whole, and cannot be read for another reason than its size. */
export function endsOf(line: Buffer): OversizedMessage {
  return {
    bytes: line.length,
    head: line.subarray(0, KEPT_END),
    tail: line.subarray(-KEPT_END),
  }
}

/**
 * Cuts a byte stream into lines at `\n`, in time linear in the bytes: a chunk is searched once and
 * parts are joined once. A line over `maxBytes` is let go while it streams by; only its ends are kept.
 */
export class MessageFraming {
  #parts: Buffer[] = []
  #size = 0
  #oversized: OversizedLine | undefined

  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: Buffer) => void,
    private readonly onOversized: (message: OversizedMessage) => void,
  ) {}

  push(chunk: Buffer): void {
    let from = 0
    for (;;) {
      const at = chunk.indexOf(NEWLINE, from)
      if (at === -1) break
      this.#add(chunk.subarray(from, at))
      this.#finish()
      from = at + 1
    }
    if (from < chunk.length) this.#add(chunk.subarray(from))
  }

  /** Delivers a last line without its newline; call once, when the stream has ended. */
  end(): void {
    if (this.#size > 0) this.#finish()
  }

  #add(part: Buffer): void {
    this.#size += part.length
    if (this.#oversized) {
      this.#oversized.add(part)
      return
    }
    this.#parts.push(part)
    if (this.#size <= this.maxBytes) return
    this.#oversized = new OversizedLine(this.#parts)
    this.#parts = []
  }

  #finish(): void {
    const { bytes, oversized, parts } = {
      bytes: this.#size,
      oversized: this.#oversized,
      parts: this.#parts,
    }
    this.#size = 0
    this.#oversized = undefined
    this.#parts = []
    if (oversized) {
      this.onOversized({ bytes, ...oversized.ends() })
      return
    }
    const [first] = parts
    const line = parts.length === 1 && first ? first : Buffer.concat(parts)
    const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
    if (text.length > 0) this.onLine(text)
  }
}

/** A line over the limit while the rest of it streams by: its first and its last bytes, copied, so that no chunk is held. */
class OversizedLine {
  #head: Buffer
  #tail: Buffer

  constructor(parts: readonly Buffer[]) {
    this.#head = Buffer.alloc(0)
    this.#tail = Buffer.alloc(0)
    for (const part of parts) {
      if (this.#head.length === KEPT_END) break
      this.#head = Buffer.concat([this.#head, part.subarray(0, KEPT_END - this.#head.length)])
    }
    for (const part of parts.toReversed()) {
      if (this.#tail.length === KEPT_END) break
      this.#tail = Buffer.concat([part.subarray(this.#tail.length - KEPT_END), this.#tail])
    }
  }

  add(part: Buffer): void {
    const before = part.length >= KEPT_END ? Buffer.alloc(0) : this.#tail
    this.#tail = Buffer.from(Buffer.concat([before, part]).subarray(-KEPT_END))
  }

  ends(): { readonly head: Buffer; readonly tail: Buffer } {
    return { head: this.#head, tail: this.#tail }
  }
}
