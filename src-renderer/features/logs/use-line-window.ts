import type { Virtualizer } from '@tanstack/react-virtual'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

import type { LogEntry } from '../../../src-shared/domain/log-entry'

/** Height of a line that does not wrap, in px at the usual text size. */
const LINE_HEIGHT = 19
/** How far from the end still counts as at the end, in px. */
export const AT_END = 12

/** The lines in view: follows the tail while it is in view, and stays where it is otherwise. */
export function useLineWindow(
  region: RefObject<HTMLDivElement | null>,
  lines: readonly LogEntry[],
  onScroll: (isAtEnd: boolean) => void,
): Virtualizer<HTMLDivElement, HTMLDivElement> {
  return useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: lines.length,
    getScrollElement: () => region.current,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => lines[index]?.seq ?? index,
    overscan: 24,
    paddingStart: 8,
    paddingEnd: 12,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: AT_END,
    onChange: (instance) => onScroll(instance.isAtEnd(AT_END)),
  })
}
