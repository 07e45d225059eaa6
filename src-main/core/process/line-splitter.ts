import { StringDecoder } from 'node:string_decoder'

/** Longest line kept, in characters; the rest of a longer line is cut and says so. */
export const MAX_LINE_LENGTH = 8_192

/**
 * Splits a byte stream into text lines: UTF-8 split anywhere, CRLF and lone CR (progress bars),
 * bounded memory whatever arrives.
 */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8')
  readonly #onLine: (line: string) => void
  #partial = ''
  #cut = 0
  /** A CR at the end of a chunk waits for the next one, as an LF may follow. */
  #heldReturn = ''

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  push(chunk: Buffer): void {
    const text = this.#heldReturn + this.#decoder.write(chunk)
    this.#heldReturn = text.endsWith('\r') ? '\r' : ''
    const lines = text.slice(0, text.length - this.#heldReturn.length).split(/\r\n|\n|\r/u)
    const last = lines.pop() ?? ''
    for (const line of lines) {
      this.#append(line)
      this.#flush()
    }
    this.#append(last)
  }

  /** Delivers an unfinished last line; call once, when the stream has ended. */
  end(): void {
    this.#append(this.#decoder.end())
    if (this.#partial !== '' || this.#heldReturn !== '') this.#flush()
    this.#heldReturn = ''
  }

  #append(text: string): void {
    const room = MAX_LINE_LENGTH - this.#partial.length
    this.#partial += text.slice(0, room)
    this.#cut += Math.max(0, text.length - room)
  }

  #flush(): void {
    const line = this.#partial
    const cut = this.#cut
    this.#partial = ''
    this.#cut = 0
    this.#onLine(cut > 0 ? `${line} … (${String(cut)} more characters)` : line)
  }
}
