import clsx from 'clsx'
import { ArrowDown, Play } from 'lucide-react'
import type { JSX, KeyboardEvent, PointerEvent, RefObject, WheelEvent } from 'react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { type CustomItemComponentProps, Virtualizer, type VirtualizerHandle } from 'virtua'

import { FollowPill } from '../../ui/list/follow-pill'
import { counted } from '../../ui/text/format'
import { LogGap, LogLine } from './log-line'
import type { LogRowCache } from './log-row-cache'
import type { LogMatch } from './use-log-find'

/** Height of an unwrapped line, in px at the default text size. */
const LINE_HEIGHT = 19
/** Space above the first line, in px. */
const TOP = 8
/** Maximum distance from the end that counts as the end, in px. */
const AT_END = 60
/** Rendered area above and below the view, in px. */
const BUFFER = 400
/** Number of row keys, more than are rendered at a time. A new row reuses the elements of a removed one, which is faster. */
const SLOTS = 1_024
const UP_KEYS = ['Home', 'PageUp', 'ArrowUp']

function linesText(count: number): string {
  return counted(count, 'new line')
}

function Pill(props: {
  readonly place: FollowState
  readonly end: number
  readonly isEmpty: boolean
}): JSX.Element | null {
  const { place: following, end, isEmpty } = props
  const { isFollowing, upTo, leftAt: stoppedAt, follow } = following
  const isPaused = upTo !== null
  if (isEmpty || (isFollowing && !isPaused)) return null
  const newCount = Math.max(0, end - (upTo ?? stoppedAt))
  const label = newCount === 0 ? 'Jump to latest' : linesText(newCount)
  const paused = newCount === 0 ? 'Paused' : `Paused, ${linesText(newCount)}`
  return (
    <FollowPill
      icon={isPaused ? Play : ArrowDown}
      label={isPaused ? paused : label}
      onFollow={follow}
    />
  )
}

/** An unwrapped line is as wide as its text, and the region scrolls to its end. */
function WideItem({ ref, style, children }: CustomItemComponentProps): JSX.Element {
  const wide = { ...style, contain: 'style', width: 'auto', minWidth: '100%' }
  return (
    <div ref={ref} style={wide}>
      {children}
    </div>
  )
}

function Row(props: {
  readonly window: LogRowCache
  readonly row: number
  readonly isCurrent: boolean
  readonly names: readonly string[] | null
}): JSX.Element {
  const { window, row, isCurrent, names } = props
  const found = window.row(row)
  const { first } = window.extent
  if (!found)
    return (
      <div className="px-5 whitespace-pre-wrap text-faint">
        {row < first ? 'no longer available' : ' '}
      </div>
    )
  return (
    <>
      {found.missing > 0 && <LogGap count={found.missing} atTop={row === first} />}
      <LogLine row={found} isCurrent={isCurrent} from={names?.[found.server]} />
    </>
  )
}

type ListProps = {
  readonly label: string
  readonly window: LogRowCache
  readonly place: FollowState
  readonly match: LogMatch | null
  readonly wrap: boolean
  /** Server names by index in the query, if lines of several servers are mixed. */
  readonly names: readonly string[] | null
}

/** Keeps the end in view while following, and scrolls to a requested line. */
function useView(
  { window, place: following, match }: ListProps,
  list: RefObject<VirtualizerHandle | null>,
  count: number,
): () => void {
  const { origin } = window.extent
  const { isFollowing, leave: stopFollowing } = following
  const requestVisibleRows = (): void => {
    if (!list.current) return
    const { scrollOffset, viewportSize } = list.current
    const from = origin + list.current.findItemIndex(scrollOffset)
    const to = origin + list.current.findItemIndex(scrollOffset + viewportSize) + 1
    window.want(from, to, isFollowing)
  }
  useLayoutEffect(() => {
    if (isFollowing && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' })
    requestVisibleRows()
  })
  useEffect(() => window.settle())
  const goTo = useEffectEvent(({ row }: LogMatch) => {
    stopFollowing()
    const { from, to } = window.inView
    const isInView = row > from && row < to - 1
    if (!isInView) list.current?.scrollToIndex(row - origin, { align: 'center' })
  })
  useEffect(() => {
    if (match) goTo(match)
  }, [match])
  return requestVisibleRows
}

/** Distinguishes scrolling by the user from arriving lines: the former stops following, and reaching the end resumes it. */
function useScrolling(
  { isFollowing, arrive, leave: stopFollowing }: FollowState,
  region: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualizerHandle | null>,
) {
  const isDragging = useRef(false)
  const lastOffset = useRef(0)
  return {
    scrolled: (offset: number) => {
      const isMovingDown = offset >= lastOffset.current
      lastOffset.current = offset
      // Read only when needed, because it forces a layout.
      if (isFollowing && !isDragging.current) return
      const { scrollHeight = 0, clientHeight = 0 } = region.current ?? {}
      if (isMovingDown && offset + clientHeight >= scrollHeight - AT_END) arrive()
      else if (!isMovingDown && isDragging.current) stopFollowing()
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!UP_KEYS.includes(event.key)) return
      stopFollowing()
      if (event.key !== 'Home') return
      // The list may be scrolling to the end.
      event.preventDefault()
      list.current?.scrollTo(0)
    },
    onWheel: ({ deltaY }: WheelEvent) => deltaY < 0 && stopFollowing(),
    onTouchMove: stopFollowing,
    // True only for the region's own scrollbar, not for its content.
    onPointerDown: ({ target, currentTarget }: PointerEvent) =>
      (isDragging.current = target === currentTarget),
    onPointerUp: () => (isDragging.current = false),
  }
}

/** A virtual list of lines that follows the newest until the user scrolls up; a pill returns to the end. */
export function LogLines(props: ListProps): JSX.Element {
  const { label, window, place: following, match, wrap, names } = props
  const region = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const { origin, end, isShortened } = window.extent
  const count = Math.max(0, (following.upTo ?? end) - origin)
  const requestVisibleRows = useView(props, list, count)
  const { scrolled, ...handlers } = useScrolling(following, region, list)
  const onScroll = (offset: number): void => {
    requestVisibleRows()
    scrolled(offset)
  }
  return (
    <>
      <div
        ref={region}
        className={clsx('lines scroll min-h-0 flex-1', !wrap && 'is-unwrapped')}
        role="log"
        aria-label={label}
        aria-live="off"
        tabIndex={0}
        {...handlers}
      >
        <div style={{ height: TOP }} />
        <Virtualizer
          key={wrap ? 'wrapped' : 'wide'}
          ref={list}
          scrollRef={region}
          data={{ length: count }}
          itemSize={LINE_HEIGHT}
          bufferSize={BUFFER}
          startMargin={TOP}
          shift={isShortened}
          onScroll={onScroll}
          {...(!wrap && { item: WideItem })}
        >
          {(_, index) => (
            <Row
              key={(origin + index) % SLOTS}
              window={window}
              row={origin + index}
              isCurrent={origin + index === match?.row}
              names={names}
            />
          )}
        </Virtualizer>
        <div className="h-13" />
      </div>
      <Pill place={following} end={end} isEmpty={count === 0} />
    </>
  )
}

/** Position of the user in a list of lines. */
type FollowState = {
  readonly isFollowing: boolean
  /** First hidden line while paused; null if not paused. */
  readonly upTo: number | null
  /** Index after the newest line when following stopped. */
  readonly leftAt: number
  readonly pause: () => void
  /** Returns to the newest line and follows new ones. */
  readonly follow: () => void
  readonly arrive: () => void
  /** Stops following, because the user scrolls up. */
  readonly leave: () => void
}

/** Follows the newest lines until the user leaves or pauses; `end` is the index after the newest line. */
export function useFollowState(end: number): FollowState {
  const [isFollowing, setFollowing] = useState(true)
  const [upTo, setUpTo] = useState<number | null>(null)
  const [leftAt, setStoppedAt] = useState(0)
  const leave = (): void => {
    if (!isFollowing) return
    setFollowing(false)
    setStoppedAt(end)
  }
  return {
    ...{ isFollowing, upTo, leftAt, leave },
    pause: () => setUpTo(end),
    follow: () => {
      setUpTo(null)
      setFollowing(true)
    },
    arrive: () => setFollowing(true),
  }
}
