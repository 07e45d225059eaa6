import type { Range, Virtualizer } from '@tanstack/react-virtual'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, RefObject } from 'react'
import { useCallback, useMemo } from 'react'

import { nextRow } from '../../ui/focus/next-row'
import { useFocusRow } from '../../ui/focus/use-focus-row'
import { remInPx } from '../../ui/layout/rem'
import { type ListRow, messageFrom } from './list-rows'

/** Heights of a row, of the head that stays above them, and of what lies over the last ones, in rem. */
const SIZES = { row: 1.75, head: 2, pill: 3 } as const
/** Rows that are drawn beyond what is in view, so that arrows find theirs. */
const OVERSCAN = 4

/** The rows in view. */
export type RowWindow = {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  /** The head that stays above the rows, in px. */
  readonly headHeight: number
  /** Brings a line into view and gives it the focus. */
  readonly goTo: (index: number) => void
  /** The line that a key leads to from another one; undefined where it leads nowhere. */
  readonly nextOf: (event: KeyboardEvent, from: number) => number | undefined
}

/**
 * Draws of the lines what is in view, which stays where it is when lines are added or go, and the line `kept` wherever it
 * is: one that a key leads to has the focus before the list has scrolled to it, so that the next key counts from there.
 */
export function useRowWindow(
  region: RefObject<HTMLDivElement | null>,
  rows: readonly ListRow[],
  kept: number | undefined,
): RowWindow {
  const rem = useMemo(remInPx, [])
  const focusRow = useFocusRow(region, rows.length)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: useCallback(() => SIZES.row * rem, [rem]),
    getItemKey: useCallback((index) => keyOf(rows[index], index), [rows]),
    scrollMargin: SIZES.head * rem,
    scrollPaddingStart: SIZES.head * rem,
    scrollPaddingEnd: SIZES.pill * rem,
    overscan: OVERSCAN,
    rangeExtractor: useCallback((range: Range) => withLine(range, kept), [kept]),
    anchorTo: 'end',
  })
  const nextOf = (event: KeyboardEvent, from: number): number | undefined => {
    const inView = Math.floor((region.current?.clientHeight ?? 0) / (SIZES.row * rem)) - 2
    const to = nextRow(event.key, from, rows.length, Math.max(1, inView))
    return to === undefined ? undefined : messageFrom(rows, to, to < from)
  }
  const goTo = (index: number): void => {
    virtualizer.scrollToIndex(index)
    focusRow(index)
  }
  return { virtualizer, headHeight: SIZES.head * rem, goTo, nextOf }
}

/** In order, as a line that is moved among others loses the focus. */
function withLine(range: Range, kept: number | undefined): number[] {
  const lines = defaultRangeExtractor(range)
  if (kept === undefined || kept >= range.count || lines.includes(kept)) return lines
  return kept < range.startIndex ? [kept, ...lines] : [...lines, kept]
}

function keyOf(row: ListRow | undefined, index: number): string | number {
  if (row === undefined) return index
  return row.kind === 'session' ? `session ${row.seq}` : row.seq
}
