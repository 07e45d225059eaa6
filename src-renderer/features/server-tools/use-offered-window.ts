import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

import type { OfferedLine } from './offered-tools'

/** Heights before a line is measured, in px. */
const ESTIMATE = { head: 48, tool: 92 } as const
/** Lines that are drawn beyond what is in view, so that the Tab key finds the next one. */
const OVERSCAN = 12

function regionOf(list: HTMLElement | null): HTMLElement | null {
  return list?.closest<HTMLElement>('.tab-body') ?? null
}

/** How far below the top of what scrolls the list begins, in px; what stands above it may grow. */
function useMargin(list: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const region = regionOf(list.current)
    const inner = list.current?.parentElement
    if (!region || !inner) return undefined
    const measure = (): void => {
      const top = list.current?.getBoundingClientRect().top ?? 0
      setMargin(Math.round(top - region.getBoundingClientRect().top + region.scrollTop))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(inner)
    return () => observer.disconnect()
  }, [list])
  return margin
}

/** The lines in view, each measured when it is drawn; `margin` is what stands above the list, in px. */
export function useOfferedWindow(
  list: RefObject<HTMLUListElement | null>,
  lines: readonly OfferedLine[],
): { readonly virtualizer: Virtualizer<HTMLElement, HTMLLIElement>; readonly margin: number } {
  const margin = useMargin(list)
  const virtualizer = useVirtualizer<HTMLElement, HTMLLIElement>({
    count: lines.length,
    getScrollElement: () => regionOf(list.current),
    estimateSize: (index) => ESTIMATE[lines[index]?.kind ?? 'tool'],
    getItemKey: (index) => lines[index]?.key ?? index,
    scrollMargin: margin,
    overscan: OVERSCAN,
  })
  return { virtualizer, margin }
}
