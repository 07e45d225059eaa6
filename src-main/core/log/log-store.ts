import type { LogEntry, TextStyle } from '../../../src-shared/domain/running/log-entry'
import { LOG_LEVELS } from '../../../src-shared/domain/running/log-limits'
import { SharedByteLimit } from '../lifecycle/shared-byte-limit'

const MAX_LINES = 100_000
/** Memory limit of all logs together, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024
/** Text size and number of lines of one block. */
const BLOCK_BYTES = 64 * 1024
const BLOCK_LINES = 2_000
/** Memory of a line's numbers, in bytes. */
const LINE_BYTES = 40
/** Most bytes of UTF-8 per UTF-16 unit. */
const MAX_PER_UNIT = 3
const NEWLINE = 0x0a

const SOURCES = ['stderr', 'stdout', 'install', 'patchbay'] as const
const SOURCE_SHIFT = 2
const LEVEL_MASK = 3
const CONTINUES = 16

/** A line and its place among the lines of all logs, counted from 0 in order of arrival. */
export type StoredLine = { readonly entry: LogEntry; readonly place: number }

/** Shared by all servers' logs: the order of their lines and their memory limit. */
export class LogMemory extends SharedByteLimit {
  #nextPlace = 0

  constructor(maxBytes = MAX_BYTES) {
    super(maxBytes)
  }

  /** Place of the newest line; -1 before the first. */
  get lastPlace(): number {
    return this.#nextPlace - 1
  }

  /** Returns the place of the next line. */
  next(): number {
    this.#nextPlace += 1
    return this.#nextPlace - 1
  }
}

/** Consecutive lines of one log, with texts as UTF-8 in memory shared with the search thread. */
export class LogBlock {
  /** End of each text, including its newline. */
  readonly #ends: number[] = []
  readonly #places: number[] = []
  readonly #seqs: number[] = []
  readonly #times: number[] = []
  /** Level, source and the continuation flag. */
  readonly #kinds: number[] = []
  readonly #styles = new Map<number, TextStyle[]>()
  readonly #texts = Buffer.from(new SharedArrayBuffer(BLOCK_BYTES))

  /** `from` is the log index of its first line. */
  constructor(readonly from: number) {}

  get count(): number {
    return this.#ends.length
  }

  get firstPlace(): number {
    return this.#places[0] ?? Infinity
  }

  get bytes(): number {
    return BLOCK_BYTES + this.count * LINE_BYTES
  }

  /** False if the block is full. */
  push(entry: LogEntry, place: number): boolean {
    const { text, level, source } = entry
    const start = this.#startOf(this.count)
    const room = BLOCK_BYTES - start - 1
    if (text.length * MAX_PER_UNIT > room && Buffer.byteLength(text) > room) return false
    const end = start + this.#texts.write(text, start)
    this.#texts[end] = NEWLINE
    if (entry.styles) this.#styles.set(this.count, entry.styles)
    const kind = LOG_LEVELS.indexOf(level) | (SOURCES.indexOf(source) << SOURCE_SHIFT)
    this.#kinds.push(entry.continues ? kind | CONTINUES : kind)
    this.#places.push(place)
    this.#seqs.push(entry.seq)
    this.#times.push(entry.at)
    this.#ends.push(end + 1)
    return true
  }

  /** Each returns a property of the line with this log index. */
  readonly placeOf = (index: number): number => found(this.#places[index - this.from])
  readonly seqOf = (index: number): number => found(this.#seqs[index - this.from])
  readonly timeOf = (index: number): number => found(this.#times[index - this.from])
  /** Index in `LOG_LEVELS`. */
  readonly levelOf = (index: number): number => found(this.#kinds[index - this.from]) & LEVEL_MASK
  readonly sourceOf = (index: number): LogEntry['source'] =>
    found(SOURCES[(found(this.#kinds[index - this.from]) >> SOURCE_SHIFT) & LEVEL_MASK])

  line(index: number): StoredLine {
    const at = index - this.from
    const styles = this.#styles.get(at)
    const entry: LogEntry = {
      seq: this.seqOf(index),
      at: this.timeOf(index),
      source: this.sourceOf(index),
      level: found(LOG_LEVELS[this.levelOf(index)]),
      text: this.#texts.toString('utf8', this.#startOf(at), found(this.#ends[at]) - 1),
      ...((found(this.#kinds[at]) & CONTINUES) !== 0 && { continues: true as const }),
      ...(styles && { styles }),
    }
    return { entry, place: this.placeOf(index) }
  }

  /** The texts of lines from one log index up to another, each followed by a newline; read-only. */
  texts(from: number, to: number): Uint8Array {
    return this.#texts.subarray(this.#startOf(from - this.from), this.#startOf(to - this.from))
  }

  #startOf(at: number): number {
    return at === 0 ? 0 : found(this.#ends[at - 1])
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('The block has no such line.')
  return value
}

/** Size of a log and its blocks, in lines. */
export type LogLimits = { readonly lines?: number; readonly blockLines?: number }

/** The newest lines of one log. `index` counts from 0 for the first line ever. */
export class LogStore implements Disposable {
  #blocks: LogBlock[] = []
  #end = 0
  #first = 0
  #bytes = 0
  readonly #lines: number
  readonly #blockLines: number
  readonly #counted: Disposable

  constructor(
    private readonly memory: LogMemory,
    { lines = MAX_LINES, blockLines = BLOCK_LINES }: LogLimits = {},
  ) {
    this.#lines = lines
    this.#blockLines = blockLines
    this.#counted = memory.add(this)
  }

  /** Index of the oldest held line. */
  get first(): number {
    return this.#first
  }

  /** Index after the newest line. */
  get end(): number {
    return this.#end
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Oldest first; the last one may still grow. */
  get blocks(): readonly LogBlock[] {
    return this.#blocks
  }

  push(entry: LogEntry): void {
    const place = this.memory.next()
    const newest = this.#blocks.at(-1)
    const isThere = newest && newest.count < this.#blockLines && newest.push(entry, place)
    if (!isThere) this.#begin().push(entry, place)
    this.#end += 1
    this.#bytes += LINE_BYTES
    this.#first = Math.max(this.#first, this.#end - this.#lines)
    while ((this.#blocks[1]?.from ?? Infinity) <= this.#first) this.dropOldest()
  }

  /** The block of the held line with this index. */
  blockOf(index: number): LogBlock {
    const at = lowerBound(this.#blocks.length, (one) => (this.#blocks[one]?.from ?? 0) > index)
    return found(this.#blocks[at - 1])
  }

  /** Place of the oldest held line; Infinity if there is none. */
  get firstPlace(): number {
    return this.#first < this.#end ? this.blockOf(this.#first).placeOf(this.#first) : Infinity
  }

  /** Index of the held line with this place. */
  indexOf(place: number): number {
    const blocks = this.#blocks
    const after = lowerBound(blocks.length, (at) => found(blocks[at]).firstPlace > place)
    const { from, count, placeOf } = found(blocks[after - 1])
    return from + lowerBound(count, (at) => placeOf(from + at) >= place)
  }

  /** Number of missing lines right before the held line with this index. */
  missingBefore(index: number): number {
    const isFirst = index === this.#blocks[0]?.from
    const before = isFirst ? -1 : this.blockOf(index - 1).seqOf(index - 1)
    return this.blockOf(index).seqOf(index) - before - 1
  }

  /** Drops the oldest block; false if only the newest is left. */
  dropOldest(): boolean {
    const next = this.#blocks[1]
    if (!next) return false
    this.#bytes -= this.#blocks.shift()?.bytes ?? 0
    this.#first = Math.max(this.#first, next.from)
    return true
  }

  /** Lines with a higher `seq`, newest first. */
  *newest(seq: number): Generator<StoredLine> {
    for (const block of this.#blocks.toReversed()) {
      for (let index = block.from + block.count - 1; index >= block.from; index -= 1) {
        if (index < this.#first || block.seqOf(index) <= seq) return
        yield block.line(index)
      }
    }
  }

  /** Forgets all lines; indexes continue. */
  clear(): void {
    this.#blocks = []
    this.#bytes = 0
    this.#first = this.#end
  }

  [Symbol.dispose](): void {
    this.clear()
    this.#counted[Symbol.dispose]()
  }

  #begin(): LogBlock {
    const block = new LogBlock(this.#end)
    this.#blocks.push(block)
    this.#bytes += BLOCK_BYTES
    this.memory.enforce()
    return block
  }
}

/** The lowest number below `count` from which on `isIt` holds; `count` if it never does. */
export function lowerBound(count: number, isIt: (at: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isIt(middle)) high = middle
    else low = middle + 1
  }
  return low
}
