import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useMemo } from 'react'

import { remInPx } from '../../../ui/layout/rem'

/** Height of a row, in rem. */
const ROW = 2.5
/** Rows that are drawn beyond what is in view. */
const OVERSCAN = 8

/** The rows of a list in view; `region` is what scrolls. */
export function useShownWindow(
  region: RefObject<HTMLDivElement | null>,
  count: number,
): Virtualizer<HTMLDivElement, HTMLLIElement> {
  const rem = useMemo(remInPx, [])
  return useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count,
    getScrollElement: () => region.current,
    estimateSize: () => ROW * rem,
    overscan: OVERSCAN,
  })
}
