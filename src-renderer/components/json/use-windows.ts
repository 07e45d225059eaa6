import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'

import { remInPx } from '../../ui/layout/rem'
import type { BrowserState, JsonBrowser } from './json-browser'
import type { JsonRow } from './reading/json-tree'
import { useRows } from './use-browser'

type Region = RefObject<HTMLDivElement | null>

/** Height of a line of a tree, in rem. */
const LINE = 1.375
/** What a piece of a long text is taken for until it is drawn, in px. */
const PIECE_HEIGHT = 800

/** The lines of a tree that are in view, kept where the keyboard is. */
export type LineWindow = {
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>
  /** Of a line, in px. */
  readonly height: number
  readonly state: BrowserState
  readonly rowAt: (row: number) => JsonRow | undefined
}

/** Draws of a tree what is in view, and brings the line of the keyboard into view as it moves. */
export function useLineWindow(region: Region, browser: JsonBrowser): LineWindow {
  const [height] = useState(() => Math.round(LINE * remInPx()))
  const [count, setCount] = useState(browser.store.getState().count)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => height,
    overscan: 4,
  })
  const items = virtualizer.getVirtualItems()
  const { state, rowAt } = useRows(browser, items[0]?.index ?? 0, items.at(-1)?.index ?? 0)
  if (state.count !== count) setCount(state.count)
  const { row, edition } = state
  const show = useEffectEvent(() => {
    const isUntouched = row === 0 && edition === 0
    if (isUntouched && region.current?.scrollTop === 0) return
    // What is far away is shown with what stands around it.
    const isNear = items.some(({ index }) => index === row)
    virtualizer.scrollToIndex(row, { align: isNear ? 'auto' : 'center' })
  })
  useEffect(() => show(), [row, edition])
  return { virtualizer, height, state, rowAt }
}

/** Draws of a long text the pieces in view; their heights are measured. */
export function usePieceWindow(
  region: Region,
  count: number,
): Virtualizer<HTMLDivElement, Element> {
  return useVirtualizer({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => PIECE_HEIGHT,
    overscan: 1,
  })
}
