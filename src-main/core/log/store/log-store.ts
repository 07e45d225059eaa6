import type { LogEntry } from '../../../../src-shared/domain/running/log-entry'
import { type HeldLine, type LogBlock, OpenBlock } from './log-block'
import type { LogMemory } from './log-memory'

/** Most lines of one log, and the most memory that they take, in bytes. */
const MOST_LINES = 1_000_000
const MOST_BYTES = 128 * 1024 * 1024
/** When the newest block is sealed: lines, and bytes. */
const BLOCK_LINES = 2_000
const BLOCK_BYTES = 512 * 1024

/** How much a log holds, and of how many lines a block is. */
export type LogLimits = {
  readonly lines?: number
  readonly bytes?: number
  readonly blockLines?: number
}

/** The newest lines of one log. `index` counts from 0 for the first line that ever came. */
export class LogStore {
  #compressed: LogBlock[] = []
  #open = new OpenBlock()
  /** How many blocks are gone, and the index of the first line in those that are left. */
  #goneBlocks = 0
  #from = 0
  #end = 0
  #first = 0
  #compressedBytes = 0
  readonly #lines: number
  readonly #bytes: number
  readonly #blockLines: number

  constructor(
    private readonly memory: LogMemory,
    { lines = MOST_LINES, bytes = MOST_BYTES, blockLines = BLOCK_LINES }: LogLimits = {},
  ) {
    this.#lines = lines
    this.#bytes = bytes
    this.#blockLines = blockLines
    memory.add(this)
  }

  /** The index of the oldest line that is held. */
  get first(): number {
    return this.#first
  }

  /** After the index of the newest line. */
  get end(): number {
    return this.#end
  }

  /** Of the blocks that are sealed. */
  get bytes(): number {
    return this.#compressedBytes
  }

  /** The number of the first block; each has one more than the block before it. */
  get firstBlock(): number {
    return this.#goneBlocks
  }

  /** Oldest first; the last one may still grow, and has the same number when it grows no more. */
  get blocks(): readonly LogBlock[] {
    return this.#open.count > 0 ? [...this.#compressed, this.#open] : this.#compressed
  }

  /** The index of the first line of the first block, which may be held no more. */
  get from(): number {
    return this.#from
  }

  push(entry: LogEntry): void {
    this.#open.push({ entry, place: this.memory.take() })
    this.#end += 1
    if (this.#open.count >= this.#blockLines || this.#open.bytes >= BLOCK_BYTES) this.#seal()
    this.#first = Math.max(this.#first, this.#end - this.#lines)
    while (this.#first - this.#from >= (this.#compressed[0]?.count ?? Infinity)) this.dropOldest()
  }

  /** Lets the oldest block go; false when there is none but the newest. */
  dropOldest(): boolean {
    const block = this.#compressed.shift()
    if (!block) return false
    this.#goneBlocks += 1
    this.#from += block.count
    this.#first = Math.max(this.#first, this.#from)
    this.#compressedBytes -= block.bytes
    this.memory.count(-block.bytes)
    return true
  }

  /** The newest lines with `seq` above that, newest first. */
  *newest(seq: number): Generator<HeldLine> {
    let index = this.#end
    for (const block of this.blocks.toReversed()) {
      for (let at = block.count - 1; at >= 0; at -= 1) {
        index -= 1
        if (index < this.#first) return
        const line = block.line(at)
        if (line.entry.seq <= seq) return
        yield line
      }
    }
  }

  /** Forgets all lines; the indexes go on. */
  clear(): void {
    while (this.dropOldest());
    if (this.#open.count > 0) this.#goneBlocks += 1
    this.#open = new OpenBlock()
    this.#from = this.#end
    this.#first = this.#end
  }

  #seal(): void {
    const block = this.#open.seal()
    this.#compressed.push(block)
    this.#open = new OpenBlock()
    this.#compressedBytes += block.bytes
    this.memory.count(block.bytes)
    while (this.#compressedBytes > this.#bytes) this.dropOldest()
  }
}
