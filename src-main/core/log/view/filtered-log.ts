import { LOG_LEVELS } from '../../../../src-shared/domain/running/log-limits'
import type { LogQuery } from '../../../../src-shared/domain/running/log-query'
import type { HeldLine, LogBlock } from '../store/log-block'
import type { LogStore } from '../store/log-store'

/** What a query asks of a line. */
export type LineFilter = Omit<LogQuery, 'servers'>

/** The lines of one block that pass. */
export type FilteredBlock = {
  block: LogBlock
  /** Counts all blocks of the log from 0, those that are gone too. */
  readonly number: number
  /** The row of the first of them. */
  readonly row: number
  /** Their indexes in the block; null where all pass. */
  readonly indexes: number[] | null
  /** How many lines of the block were looked at. */
  seen: number
}

/** Whether lines of any kind pass, so that numbers which are missing tell of lines that were lost. */
export function isWhole({ level, source }: LineFilter): boolean {
  return level === 'debug' && source === undefined
}

/**
 * The lines of one log that a filter lets through. A row counts them from 0, those too that are no longer
 * held; what came since is taken in by `update`.
 */
export class FilteredLog {
  #blocks: FilteredBlock[] = []
  /** Rows of the first block that are held no more, and of the blocks before it. */
  #skipped = 0
  #gone = 0
  readonly #passes: ((block: LogBlock, index: number) => boolean) | null

  constructor(
    readonly store: LogStore,
    filter: LineFilter,
  ) {
    this.#passes = passes(filter)
  }

  /** The row of the oldest line that is held. */
  get first(): number {
    return (this.#blocks[0]?.row ?? this.#gone) + this.#skipped
  }

  /** After the row of the newest. */
  get end(): number {
    const last = this.#blocks.at(-1)
    return last ? last.row + countOf(last) : this.#gone
  }

  /** Oldest first. */
  get blocks(): readonly FilteredBlock[] {
    return this.#blocks
  }

  /** Takes in what came, and lets go of what is no longer held. */
  update(): void {
    const { blocks, firstBlock } = this.store
    this.#dropBefore(firstBlock)
    for (const [offset, block] of blocks.entries()) {
      const number = firstBlock + offset
      const index = number - (this.#blocks[0]?.number ?? number)
      const known = this.#blocks[index]
      if (known?.seen === block.count) known.block = block
      else this.#take(known ?? this.#begin(block, number), block)
    }
    this.#skipped = this.#blocks[0] ? this.#rankIn(this.#blocks[0], this.store.first) : 0
  }

  /** How many rows, those too that are no longer held, have that place or an earlier one. */
  countUpTo(place: number): number {
    const found = lastWhere(this.#blocks, ({ block }) => block.place(0) <= place)
    if (!found) return this.first
    const { block } = found
    const index = lowerBound(block.count, (at) => block.place(at) > place)
    return Math.max(this.first, found.row + indexRank(found, index))
  }

  /** The line of a row that is held, and how many of its log are missing right before it. */
  line(row: number): HeldLine & { readonly missing: number } {
    const { passing, index } = this.#at(row)
    const line = passing.block.line(index)
    return { ...line, missing: line.entry.seq - this.#seqBefore(passing, index) - 1 }
  }

  /** The place of a row that is held. */
  placeOf(row: number): number {
    const { passing, index } = this.#at(row)
    return passing.block.place(index)
  }

  #at(row: number): { readonly passing: FilteredBlock; readonly index: number } {
    const passing = lastWhere(this.#blocks, (one) => one.row <= row)
    if (!passing) throw new RangeError('The row is not held.')
    const rank = row - passing.row
    return { passing, index: passing.indexes ? (passing.indexes[rank] ?? 0) : rank }
  }

  /** The row of a line of a block, when it passes and is held. */
  rowOf(passing: FilteredBlock, index: number): number | undefined {
    const rank = indexRank(passing, index)
    const isThere = passing.indexes ? passing.indexes[rank] === index : index < passing.seen
    const row = passing.row + rank
    return isThere && row >= this.first ? row : undefined
  }

  #seqBefore({ number, block }: FilteredBlock, index: number): number {
    if (index > 0) return block.line(index - 1).entry.seq
    const { blocks, firstBlock } = this.store
    const before = blocks[number - firstBlock - 1]
    return before ? before.line(before.count - 1).entry.seq : -1
  }

  #dropBefore(number: number): void {
    while (this.#blocks[0] && this.#blocks[0].number < number) {
      const block = this.#blocks.shift()
      if (block) this.#gone = block.row + countOf(block)
    }
  }

  #begin(block: LogBlock, number: number): FilteredBlock {
    const indexes = this.#passes ? [] : null
    const begun = { block, number, row: this.end, indexes, seen: 0 }
    this.#blocks.push(begun)
    return begun
  }

  #take(passing: FilteredBlock, block: LogBlock): void {
    passing.block = block
    if (this.#passes && passing.indexes) {
      for (let index = passing.seen; index < block.count; index += 1) {
        if (this.#passes(block, index)) passing.indexes.push(index)
      }
    }
    passing.seen = block.count
  }

  /** How many rows of the first block stand before the first line that is held. */
  #rankIn(passing: FilteredBlock, first: number): number {
    return indexRank(passing, Math.max(0, first - this.store.from))
  }
}

function passes({
  level,
  source,
  since,
  until,
  after,
}: LineFilter): ((block: LogBlock, index: number) => boolean) | null {
  const least = LOG_LEVELS.indexOf(level)
  const from = since ?? -Infinity
  const to = until ?? Infinity
  const later = after ?? -1
  const isAll = isWhole({ level, source }) && from === -Infinity && to === Infinity && later < 0
  if (isAll) return null
  return (block, index) =>
    block.level(index) >= least &&
    (source === undefined || block.source(index) === source) &&
    block.at(index) >= from &&
    block.at(index) <= to &&
    block.place(index) > later
}

function countOf({ indexes, seen }: FilteredBlock): number {
  return indexes ? indexes.length : seen
}

/** How many that pass stand before `index` in the block. */
function indexRank({ indexes }: FilteredBlock, index: number): number {
  return indexes ? lowerBound(indexes.length, (at) => (indexes[at] ?? 0) >= index) : index
}

/** The least number below `count` from which on `isIt` holds; `count` where it never does. */
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

/** The last of those for which it holds, where it holds for none after one for which it does not. */
function lastWhere<T>(list: readonly T[], holds: (one: T) => boolean): T | undefined {
  return list[lowerBound(list.length, (at) => !holds(list[at] as T)) - 1]
}
