import type { LogEntry, TextStyle } from '../../../../src-shared/domain/running/log-entry'
import { LOG_LEVELS } from '../../../../src-shared/domain/running/log-limits'

/** A line and its place among the lines of all logs, which counts from 0 in the order of their coming. */
export type HeldLine = { readonly entry: LogEntry; readonly place: number }

/** Lines of one log that came one after the other; `index` counts from 0 within the block. */
export type LogBlock = {
  readonly count: number
  /** Bytes of memory, about. */
  readonly bytes: number
  readonly line: (index: number) => HeldLine
  readonly place: (index: number) => number
  readonly at: (index: number) => number
  /** Index in `LOG_LEVELS`. */
  readonly level: (index: number) => number
  readonly source: (index: number) => LogEntry['source']
  /** The texts with a newline after each, as UTF-8; not to be changed. */
  readonly texts: () => Uint8Array
}

const SOURCES = ['stderr', 'stdout', 'install', 'patchbay'] as const
const SOURCE_SHIFT = 2
const LEVEL_MASK = 3
const CONTINUES = 16
/** Of an entry as an object, next to its text. */
const ENTRY_BYTES = 120

/** The newest lines of a log, as they came. */
export class OpenBlock implements LogBlock {
  readonly #lines: HeldLine[] = []
  #characters = 0

  get count(): number {
    return this.#lines.length
  }

  get bytes(): number {
    return this.#characters + this.#lines.length * ENTRY_BYTES
  }

  push(line: HeldLine): void {
    this.#lines.push(line)
    this.#characters += line.entry.text.length
  }

  readonly line = (index: number): HeldLine => found(this.#lines[index])
  readonly place = (index: number): number => this.line(index).place
  readonly at = (index: number): number => this.line(index).entry.at
  readonly level = (index: number): number => LOG_LEVELS.indexOf(this.line(index).entry.level)
  readonly source = (index: number): LogEntry['source'] => this.line(index).entry.source
  readonly texts = (): Uint8Array => Buffer.from(textOf(this.#lines))

  /** The same lines, in little memory. */
  seal(): LogBlock {
    return new CompressedBlock(this.#lines)
  }
}

/** Lines in little memory: one text for all, and numbers in columns. */
class CompressedBlock implements LogBlock {
  readonly count: number
  readonly bytes: number
  readonly #texts: Buffer
  /** Where each text begins, and the end of the last. */
  readonly #starts: Uint32Array
  readonly #at: Float64Array
  /** Counted from those of the first line. */
  readonly #places: Uint32Array
  readonly #seqs: Uint32Array
  readonly #first: { readonly place: number; readonly seq: number }
  /** Level, source and whether the line goes on. */
  readonly #kinds: Uint8Array
  readonly #styles = new Map<number, TextStyle[]>()

  constructor(lines: readonly HeldLine[]) {
    this.count = lines.length
    const text = textOf(lines)
    // The thread that searches reads it where it is.
    this.#texts = Buffer.from(new SharedArrayBuffer(Buffer.byteLength(text)))
    this.#texts.write(text)
    // Otherwise some letters take several bytes.
    const isPlain = this.#texts.byteLength === text.length
    this.#starts = new Uint32Array(lines.length + 1)
    this.#at = new Float64Array(lines.length)
    this.#places = new Uint32Array(lines.length)
    this.#seqs = new Uint32Array(lines.length)
    this.#first = { place: lines[0]?.place ?? 0, seq: lines[0]?.entry.seq ?? 0 }
    this.#kinds = new Uint8Array(lines.length)
    let start = 0
    for (const [index, { entry, place }] of lines.entries()) {
      this.#at[index] = entry.at
      this.#places[index] = place - this.#first.place
      this.#seqs[index] = entry.seq - this.#first.seq
      this.#kinds[index] = kindOf(entry)
      if (entry.styles) this.#styles.set(index, entry.styles)
      start += (isPlain ? entry.text.length : Buffer.byteLength(entry.text)) + 1
      this.#starts[index + 1] = start
    }
    const columns = 3 * this.#starts.byteLength + this.#kinds.byteLength + this.#at.byteLength
    this.bytes = this.#texts.byteLength + columns + this.#styles.size * ENTRY_BYTES
  }

  readonly place = (index: number): number => this.#first.place + found(this.#places[index])
  readonly at = (index: number): number => found(this.#at[index])
  readonly level = (index: number): number => found(this.#kinds[index]) & LEVEL_MASK
  readonly source = (index: number): LogEntry['source'] =>
    found(SOURCES[(found(this.#kinds[index]) >> SOURCE_SHIFT) & LEVEL_MASK])
  readonly texts = (): Uint8Array => this.#texts

  readonly line = (index: number): HeldLine => {
    const from = found(this.#starts[index])
    const length = found(this.#starts[index + 1]) - 1 - from
    const styles = this.#styles.get(index)
    const entry: LogEntry = {
      seq: this.#first.seq + found(this.#seqs[index]),
      at: this.at(index),
      source: this.source(index),
      level: found(LOG_LEVELS[this.level(index)]),
      text: this.#texts.toString('utf8', from, from + length),
      ...((found(this.#kinds[index]) & CONTINUES) !== 0 && { continues: true as const }),
      ...(styles && { styles }),
    }
    return { entry, place: this.place(index) }
  }
}

function kindOf({ level, source, continues }: LogEntry): number {
  const kind = LOG_LEVELS.indexOf(level) | (SOURCES.indexOf(source) << SOURCE_SHIFT)
  return continues ? kind | CONTINUES : kind
}

function textOf(lines: readonly HeldLine[]): string {
  let text = ''
  for (const { entry } of lines) text += `${entry.text}\n`
  return text
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('The block has no such line.')
  return value
}
