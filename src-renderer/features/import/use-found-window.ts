import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, RefObject } from 'react'
import { useCallback, useMemo } from 'react'

import { nextRow } from '../../ui/focus/next-row'
import { useFocusRow } from '../../ui/focus/use-focus-row'
import { remInPx } from '../../ui/layout/rem'
import type { FoundRow } from './found-rows'

/** Height of a row, in rem. */
const ROW = 3.25
/** Rows that are drawn beyond what is in view, so that arrows find theirs. */
const OVERSCAN = 6

/** The rows in view. */
export type FoundWindow = {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLLIElement>
  /** Shows the row at this place and gives it the focus. */
  readonly goTo: (index: number) => void
  readonly press: (event: KeyboardEvent<HTMLElement>) => void
}

/** Draws of the rows what is in view; arrows, Home, End and the page keys lead from one to another, Enter into what is shown of it. */
export function useFoundWindow(
  region: RefObject<HTMLDivElement | null>,
  rows: readonly FoundRow[],
  { onShow, onEnter }: { readonly onShow: (key: string) => void; readonly onEnter: () => void },
): FoundWindow {
  const rem = useMemo(remInPx, [])
  const focusRow = useFocusRow(region, rows.length)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: useCallback(() => ROW * rem, [rem]),
    getItemKey: useCallback((index) => rows[index]?.key ?? index, [rows]),
    overscan: OVERSCAN,
  })
  function goTo(index: number): void {
    const row = rows[index]
    if (!row) return
    onShow(row.key)
    virtualizer.scrollToIndex(index)
    focusRow(index)
  }
  function press(event: KeyboardEvent<HTMLElement>): void {
    const { target, key } = event
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key === 'Enter') {
      event.preventDefault()
      onEnter()
      return
    }
    const page = Math.max(1, Math.floor((region.current?.clientHeight ?? 0) / (ROW * rem)) - 1)
    const next = nextRow(key, Number(target.dataset.index), rows.length, page)
    if (next === undefined) return
    event.preventDefault()
    goTo(next)
  }
  return { virtualizer, goTo, press }
}
