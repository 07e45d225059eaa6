import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createStore } from 'zustand/vanilla'

import { useFocusRow } from '../../../ui/focus/use-focus-row'
import { remInPx } from '../../../ui/layout/rem'
import { lastScrolled } from '../filters/catalog-view-store'
import { type GridLayout, layoutGrid, nextPlace } from './grid-layout'

/** Rows that are drawn beyond what is in view: the next one is there before it is scrolled to. */
const OVERSCAN = 1

/** As the cards stood last: who comes back sees them so at once, and again only where the window is another. */
const lastLayout = createStore<{ readonly layout?: GridLayout }>(() => ({}))
/** Where nobody knows yet how wide the list is. */
const UNKNOWN = layoutGrid(480, 16)

/** Undefined until it is known how wide the list is. */
function useLayout(list: RefObject<HTMLElement | null>): GridLayout | undefined {
  const [layout, setLayout] = useState(() => lastLayout.getState().layout)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = (): void => {
      const next = layoutGrid(element.clientWidth, remInPx())
      lastLayout.setState({ layout: next })
      setLayout((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
  return layout
}

/** Has the rows measured again when their height changes. Rows are measured once when they come, as there may be thousands. */
function useRowHeight(virtualizer: Virtualizer<HTMLDivElement, HTMLLIElement>, height: number) {
  const measured = useRef(height)
  useEffect(() => {
    if (measured.current !== height) virtualizer.measure()
    measured.current = height
  }, [virtualizer, height])
}

/** The rows of cards in view. */
export type CardWindow = {
  readonly layout: GridLayout
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLLIElement>
  /** Moves the focus between the cards by arrow key; Home, End and the page keys lead further. */
  readonly press: (event: KeyboardEvent<HTMLElement>) => void
}

/** Draws the cards in view of a list of `total`; another `listId` begins at its top. */
export function useCardWindow(
  region: RefObject<HTMLDivElement | null>,
  list: RefObject<HTMLUListElement | null>,
  { total, listId }: { readonly total: number; readonly listId: string },
): CardWindow {
  const known = useLayout(list)
  const layout = known ?? UNKNOWN
  const { columns, cardHeight, gap } = layout
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: known ? Math.ceil(total / columns) : 0,
    getScrollElement: () => region.current,
    estimateSize: () => cardHeight + gap,
    overscan: OVERSCAN,
    initialOffset: lastScrolled,
  })
  const focusPlace = useFocusRow(list, total)
  useRowHeight(virtualizer, cardHeight + gap)
  useEffect(() => {
    region.current?.scrollTo({ top: lastScrolled() })
  }, [region, listId])

  function press(event: KeyboardEvent<HTMLElement>): void {
    const { target } = event
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return
    const rows = Math.max(1, Math.floor((region.current?.clientHeight ?? 0) / (cardHeight + gap)))
    const place = nextPlace(event.key, Number(target.dataset.index), { columns, total, rows })
    if (place === undefined) return
    event.preventDefault()
    virtualizer.scrollToIndex(Math.floor(place / columns))
    focusPlace(place)
  }
  return { layout, virtualizer, press }
}
