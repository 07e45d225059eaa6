import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { KeyboardEvent, RefObject } from 'react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { createStore } from 'zustand/vanilla'

import { useFocusRow } from '../../../ui/focus/use-focus-row'
import { remInPx } from '../../../ui/layout/rem'
import { lastScrolled } from '../filters/catalog-view-store'
import { type GridLayout, layoutGrid, nextPlace } from './grid-layout'

/** Rows that are drawn beyond what is in view, so that arrows find their card. */
const OVERSCAN = 3

/** As the cards stood last: who comes back sees them so at once, and anew only where the window is another. */
const lastLayout = createStore(() => layoutGrid(480, 16))

function useLayout(list: RefObject<HTMLElement | null>): GridLayout {
  const [layout, setLayout] = useState<GridLayout>(lastLayout.getState)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return undefined
    const measure = (): void => {
      const next = layoutGrid(element.clientWidth, remInPx())
      lastLayout.setState(next)
      setLayout((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
  return layout
}

/** The rows of cards in view. */
export type CardWindow = {
  readonly layout: GridLayout
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLLIElement>
  /** Moves the focus between the cards by arrow key; Home, End and the page keys lead further. */
  readonly press: (event: KeyboardEvent<HTMLElement>) => void
}

/** Draws of a list of `total` cards what is in view; another `listId` begins at its top. */
export function useCardWindow(
  region: RefObject<HTMLDivElement | null>,
  list: RefObject<HTMLUListElement | null>,
  { total, listId }: { readonly total: number; readonly listId: string },
): CardWindow {
  const layout = useLayout(list)
  const { columns, cardHeight, gap } = layout
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: Math.ceil(total / columns),
    getScrollElement: () => region.current,
    estimateSize: () => cardHeight + gap,
    overscan: OVERSCAN,
    initialOffset: lastScrolled,
  })
  const focusPlace = useFocusRow(list, total)
  useEffect(() => {
    virtualizer.measure()
  }, [virtualizer, cardHeight, gap])
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
