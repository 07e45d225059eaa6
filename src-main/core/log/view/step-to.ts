import type { FilteredBlock, FilteredLog } from './filtered-log'
import type { LogView } from './log-view'

/** `here` is the newest one up to the row, or else the first after it. */
export type Step = 'here' | 'next' | 'previous'

/** The indexes of the lines of a block that are stepped to, in order; others than those that pass may be among them. */
export type IndexesOf = (block: FilteredBlock, server: number) => ArrayLike<number>

type Found = { readonly server: number; readonly row: number; readonly place: number }

/**
 * The row of the line that is stepped to from a row, round the ends, and how many of its kind stand before
 * it; undefined where there is none.
 */
export function stepTo(
  view: LogView,
  from: number,
  step: Step,
  indexesOf: IndexesOf,
): { readonly row: number; readonly before: number } | undefined {
  const place = view.placeOf(from)
  const found =
    step === 'next'
      ? (after(view, place, indexesOf) ?? after(view, -1, indexesOf))
      : step === 'previous'
        ? (upTo(view, place - 1, indexesOf) ?? upTo(view, Infinity, indexesOf))
        : (upTo(view, place, indexesOf) ?? after(view, place, indexesOf))
  if (!found) return undefined
  return {
    row: view.rowAmongAll(found.server, found.row),
    before: countBefore(view, found.place, indexesOf),
  }
}

/** How many lines of a kind are held. */
export function countAll(view: LogView, indexesOf: IndexesOf): number {
  return countBefore(view, Infinity, indexesOf)
}

function countBefore(view: LogView, place: number, indexesOf: IndexesOf): number {
  let count = 0
  for (const [server, log] of view.logs.entries()) {
    const boundary = place === Infinity ? log.end : log.countUpTo(place - 1)
    for (const block of log.blocks) {
      if (block.row >= boundary) break
      count += rowsIn(log, block, indexesOf(block, server)).filter((row) => row < boundary).length
    }
  }
  return count
}

function after(view: LogView, place: number, indexesOf: IndexesOf): Found | undefined {
  return best(
    view,
    (log, server) => {
      const boundary = log.countUpTo(place)
      for (const [at, block] of log.blocks.entries()) {
        if ((log.blocks[at + 1]?.row ?? log.end) <= boundary) continue
        const row = rowsIn(log, block, indexesOf(block, server)).find((one) => one >= boundary)
        if (row !== undefined) return row
      }
      return undefined
    },
    -1,
  )
}

function upTo(view: LogView, place: number, indexesOf: IndexesOf): Found | undefined {
  return best(
    view,
    (log, server) => {
      const boundary = log.countUpTo(place)
      for (const block of log.blocks.toReversed()) {
        if (block.row >= boundary) continue
        const row = rowsIn(log, block, indexesOf(block, server)).findLast((one) => one < boundary)
        if (row !== undefined) return row
      }
      return undefined
    },
    1,
  )
}

/** Of what each log offers the one with the greatest place, or with the least for -1. */
function best(
  view: LogView,
  offer: (log: FilteredLog, server: number) => number | undefined,
  sign: 1 | -1,
): Found | undefined {
  let found: Found | undefined
  for (const [server, log] of view.logs.entries()) {
    const row = offer(log, server)
    if (row === undefined) continue
    const place = log.placeOf(row)
    if (!found || (place - found.place) * sign > 0) found = { server, row, place }
  }
  return found
}

function rowsIn(log: FilteredLog, block: FilteredBlock, indexes: ArrayLike<number>): number[] {
  if (indexes.length === 0) return []
  const rows: number[] = []
  for (const index of Array.from(indexes)) {
    const row = log.rowOf(block, index)
    if (row !== undefined) rows.push(row)
  }
  return rows
}
