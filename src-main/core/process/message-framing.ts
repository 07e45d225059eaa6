const NEWLINE = 10
const CARRIAGE_RETURN = 13

/**
 * Cuts a byte stream into lines at `\n`, in time linear in the bytes: a chunk is searched once and
 * parts are joined once. A line over `maxBytes` is dropped while it streams by and reported by its size.
 */
export class MessageFraming {
  readonly #parts: Buffer[] = []
  #size = 0
  #dropping = false

  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: Buffer) => void,
    private readonly onOversized: (bytes: number) => void,
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
    if (this.#size > this.maxBytes) {
      this.#dropping = true
      this.#parts.length = 0
    }
    if (!this.#dropping) this.#parts.push(part)
  }

  #finish(): void {
    const size = this.#size
    const first = this.#parts[0]
    const line = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts)
    const dropped = this.#dropping
    this.#parts.length = 0
    this.#size = 0
    this.#dropping = false
    if (dropped) {
      this.onOversized(size)
      return
    }
    const text = line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line
    if (text.length > 0) this.onLine(text)
  }
}
