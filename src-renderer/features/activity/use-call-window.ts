import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, RefObject } from 'react'
import { useCallback, useEffect, useMemo } from 'react'

import { nextRow } from '../../ui/focus/next-row'
import { useFocusRow } from '../../ui/focus/use-focus-row'
import { remInPx } from '../../ui/layout/rem'
import type { FoundCalls } from './found-calls'

/** Heights of a row and of the head that stays above them, in rem. */
const SIZES = { row: 2.25, head: 2 } as const
/** Rows that are drawn beyond what is in view, so that arrows find theirs. */
const OVERSCAN = 8
/** How many rows before the last one that is there the next ones are asked for. */
const AHEAD = 30

/** The rows in view. */
export type CallWindow = {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  /** The head that stays above the rows, in px. */
  readonly headHeight: number
  readonly press: (event: KeyboardEvent<HTMLElement>) => void
}

/** Draws of the calls what is in view, and asks for older ones in time; arrows, Home, End and the page keys move the focus. */
export function useCallWindow(
  region: RefObject<HTMLDivElement | null>,
  { calls, isEnd, edition }: FoundCalls,
  more: () => void,
): CallWindow {
  const rem = useMemo(remInPx, [])
  const focusRow = useFocusRow(region, calls.length)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: calls.length,
    getScrollElement: () => region.current,
    estimateSize: useCallback(() => SIZES.row * rem, [rem]),
    getItemKey: useCallback((index) => calls[index]?.callId ?? index, [calls]),
    scrollMargin: SIZES.head * rem,
    scrollPaddingStart: SIZES.head * rem,
    overscan: OVERSCAN,
  })
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (!isEnd && last + AHEAD >= calls.length) more()
  }, [isEnd, last, calls.length, more])
  useEffect(() => {
    region.current?.scrollTo({ top: 0 })
  }, [region, edition])

  function press(event: KeyboardEvent<HTMLElement>): void {
    const { target } = event
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return
    const inView = Math.floor((region.current?.clientHeight ?? 0) / (SIZES.row * rem)) - 2
    const from = Number(target.dataset.index)
    const next = nextRow(event.key, from, calls.length, Math.max(1, inView))
    if (next === undefined) return
    event.preventDefault()
    virtualizer.scrollToIndex(next)
    focusRow(next)
  }
  return { virtualizer, headHeight: SIZES.head * rem, press }
}
