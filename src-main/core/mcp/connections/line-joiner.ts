import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** Most of a message over several lines, in lines and in bytes: what is longer is no message. */
const MAX_LINES = 10_000
const MAX_BYTES = 4 * 1024 * 1024
const OPENS = /^(\s*)\{\s*$/u
const CLOSES = /^(\s*)\}\s*,?\s*$/u
const MAY_OPEN = 100

/** Finds answers that a server wrote over several lines, indented as people read JSON (MCP wants one line each). */
export class LineJoiner {
  #lines: Buffer[] = []
  #bytes = 0
  #indent = ''

  /** Takes a line that is no message; the answer that ends with it, from the opening brace to the closing one below it. What else servers print so is for people. */
  add(line: Buffer): Buffer | undefined {
    const text = line.length < MAY_OPEN ? line.toString() : ''
    const [, opens] = OPENS.exec(text) ?? []
    if (this.#lines.length === 0 && opens === undefined) return undefined
    if (this.#lines.length === 0) this.#indent = opens ?? ''
    this.#lines.push(line)
    this.#bytes += line.length
    const [, closes] = CLOSES.exec(text) ?? []
    if (closes === this.#indent) return this.#take()
    if (this.#lines.length > MAX_LINES || this.#bytes > MAX_BYTES) this.clear()
    return undefined
  }

  /** A message came: what was begun is none. */
  clear(): void {
    this.#lines = []
    this.#bytes = 0
  }

  #take(): Buffer | undefined {
    // A space stands for each end of a line, which no text of JSON holds.
    const text = Buffer.concat(this.#lines.flatMap((line) => [line, Buffer.from(' ')]))
    this.clear()
    return isAnswer(text) ? text : undefined
  }
}

function isAnswer(text: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(text.toString())
    if (!isJsonObject(value) || value.id === undefined || value.method !== undefined) return false
    return value.result !== undefined || value.error !== undefined
  } catch {
    return false // no JSON
  }
}
