import type { RefObject } from 'react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

import type { ListRow } from './list-rows'

/** How far from the end still counts as at the end, in px. */
const AT_END = 12
/** How long a wish to scroll up has to show, in ms. */
const LEAVING_MS = 500

/** Whether a list follows its newest line. */
export type FollowedEnd = {
  /** The newest message that was in view when following stopped; undefined while it follows. */
  readonly leftAt: number | undefined
  /** To be called as one begins to scroll up: what arrives meanwhile does not pull back to the end. */
  readonly leave: () => void
  /** To be called as the list was scrolled. */
  readonly onScroll: () => void
  readonly toEnd: () => void
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight <= AT_END
}

function useLeaving(): { readonly isLeaving: boolean; readonly leave: () => void } {
  const [leaving, setLeaving] = useState(0)
  useEffect(() => {
    if (leaving === 0) return undefined
    const timer = setTimeout(() => setLeaving(0), LEAVING_MS)
    return () => clearTimeout(timer)
  }, [leaving])
  const leave = useCallback(() => setLeaving((times) => times + 1), [])
  return { isLeaving: leaving > 0, leave }
}

/** Keeps the end of a list in view while it is in view and nothing is read; stands after the hook that draws the lines. */
export function useFollowEnd(
  region: RefObject<HTMLElement | null>,
  rows: readonly ListRow[],
  isRead: boolean,
): FollowedEnd {
  const newest = rows.at(-1)?.seq ?? -1
  const [leftAt, setLeftAt] = useState<number | undefined>(undefined)
  const seen = useRef(newest)
  const { isLeaving, leave } = useLeaving()
  const isFollowing = leftAt === undefined && !isRead && !isLeaving
  const judge = useCallback((): void => {
    const isEnd = region.current === null || isAtEnd(region.current)
    if (isEnd) seen.current = newest
    setLeftAt(isEnd ? undefined : seen.current)
  }, [region, newest])
  const toEnd = useCallback((): void => {
    if (region.current) region.current.scrollTop = region.current.scrollHeight
    judge()
  }, [region, judge])
  useLayoutEffect(() => {
    if (isFollowing) toEnd()
    else judge()
  }, [rows, isFollowing, toEnd, judge])
  return { leftAt, leave, onScroll: judge, toEnd }
}
