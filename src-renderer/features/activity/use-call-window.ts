import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, RefObject } from 'react'
import { useCallback, useEffect, useMemo } from 'react'

import { nextRow } from '../../ui/focus/next-row'
import { useFocusRow } from '../../ui/focus/use-focus-row'
import { remInPx } from '../../ui/layout/rem'
import type { FoundCalls } from './found-calls'

/** The height of a row, in rem. */
const ROW = 3
/** Rows that are drawn beyond what is in view, so that arrows find theirs. */
const OVERSCAN = 8
/** How many rows before the last one that is there the next ones are asked for. */
const AHEAD = 30

/** The rows in view. */
export type CallWindow = {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  /** Brings a row into view and gives it the focus. */
  readonly goTo: (index: number) => void
  /** The row that a key leads to from the one that has the focus; undefined where it leads nowhere. */
  readonly nextOf: (event: KeyboardEvent<HTMLElement>) => number | undefined
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
    estimateSize: useCallback(() => ROW * rem, [rem]),
    getItemKey: useCallback((index) => calls[index]?.callId ?? index, [calls]),
    overscan: OVERSCAN,
  })
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => {
    if (!isEnd && last + AHEAD >= calls.length) more()
  }, [isEnd, last, calls.length, more])
  useEffect(() => {
    region.current?.scrollTo({ top: 0 })
  }, [region, edition])

  const nextOf = ({ key, target }: KeyboardEvent<HTMLElement>): number | undefined => {
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return undefined
    const inView = Math.floor((region.current?.clientHeight ?? 0) / (ROW * rem)) - 1
    return nextRow(key, Number(target.dataset.index), calls.length, Math.max(1, inView))
  }
  const goTo = (index: number): void => {
    virtualizer.scrollToIndex(index)
    focusRow(index)
  }
  return { virtualizer, goTo, nextOf }
}
