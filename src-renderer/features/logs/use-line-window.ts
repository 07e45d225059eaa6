import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { useState } from 'react'

import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** Height of a line that does not wrap, in px at the usual text size. */
const LINE_HEIGHT = 19
/** How far from the end still counts as at the end, in px. */
const AT_END = 12

/** The virtual list, and the newest line when following stopped; `leftAt` is null while it follows. */
export type LineWindow = {
  readonly virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
  readonly leftAt: number | null
}

/** The lines in view: follows the tail while it is in view, and stays where it is otherwise. */
export function useLineWindow(
  region: RefObject<HTMLDivElement | null>,
  lines: readonly LogEntry[],
): LineWindow {
  const [leftAt, setLeftAt] = useState<number | null>(null)
  const newest = lines.at(-1)?.seq ?? -1
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: lines.length,
    getScrollElement: () => region.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => lines[index]?.seq ?? index,
    overscan: 24,
    paddingStart: 8,
    paddingEnd: 52,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END,
    onChange: (instance) => {
      const isAtEnd = instance.isAtEnd(AT_END)
      setLeftAt((old) => (isAtEnd ? null : (old ?? newest)))
    },
  })
  return { virtualizer, leftAt }
}
