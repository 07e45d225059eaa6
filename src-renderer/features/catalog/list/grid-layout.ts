import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createStore } from 'zustand/vanilla'

import { remInPx } from '../../../ui/list/virtual-list'

/** How the cards stand: lengths in px. */
export type GridLayout = {
  readonly columns: number
  readonly cardHeight: number
  readonly gap: number
}

/** In rem: a card beside others, and one that has the row for itself, whose tags stand next to its name. */
const LEAST_WIDTH = 15.5
const TALL = 8.25
const FLAT = 6.75
const GAP = 0.5

/** Lays cards out in a list of this width; `rem` is the size of the root's text. */
export function layoutGrid(width: number, rem: number): GridLayout {
  const gap = GAP * rem
  const columns = Math.max(1, Math.floor((width + gap) / (LEAST_WIDTH * rem + gap)))
  return { columns, cardHeight: (columns === 1 ? FLAT : TALL) * rem, gap }
}

/** As the cards were laid out last: on the way back they are drawn so immediately. */
const lastLayout = createStore<{ readonly layout?: GridLayout }>(() => ({}))

/** The layout for the width of the element that gets the ref. */
export function useGridLayout(): readonly [
  RefObject<HTMLDivElement | null>,
  GridLayout & { readonly isKnown: boolean },
] {
  const frame = useRef<HTMLDivElement>(null)
  const [known, setKnown] = useState(() => lastLayout.getState().layout)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = (): void => {
      const next = layoutGrid(element.clientWidth, remInPx())
      lastLayout.setState({ layout: next })
      setKnown((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [
    frame,
    useMemo(() => ({ ...(known ?? layoutGrid(480, 16)), isKnown: known !== undefined }), [known]),
  ]
}

/** Where the card at a place of the list stands; `top` is that of its row, in px. */
export function cardPlace(
  index: number,
  top: number,
  { columns, gap, cardHeight }: GridLayout,
): {
  readonly top: number
  readonly height: number
  readonly width: string
  readonly left: string
} {
  const column = index % columns
  const width = `(100% - ${(columns - 1) * gap}px) / ${columns}`
  return {
    top,
    height: cardHeight,
    width: `calc(${width})`,
    left: `calc(${column} * (${width} + ${gap}px))`,
  }
}
