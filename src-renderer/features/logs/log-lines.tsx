import clsx from 'clsx'
import { ArrowDown, Play } from 'lucide-react'
import type { JSX, KeyboardEvent, PointerEvent, RefObject, WheelEvent } from 'react'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { type CustomItemComponentProps, Virtualizer, type VirtualizerHandle } from 'virtua'

import { FollowPill } from '../../ui/list/follow-pill'
import { counted } from '../../ui/text/format'
import { LogGap, LogLine } from './log-line'
import type { LogWindow } from './log-window'
import type { LogSpot } from './use-log-find'

/** Height of a line that does not wrap, in px at the usual text size. */
const LINE_HEIGHT = 19
/** Space above the first line, in px. */
const TOP = 8
/** How far from the end still counts as at the end, in px. */
const AT_END = 60
/** Drawn above and below what is in view, in px. */
const BUFFER = 400
/** More than are drawn at a time: each row takes the elements of one that went, which is quicker than new ones. */
const SLOTS = 1_024
const UP_KEYS = ['Home', 'PageUp', 'ArrowUp']

function lines(count: number): string {
  return counted(count, 'new line')
}

function Pill(props: {
  readonly place: LogPlace
  readonly end: number
  readonly isEmpty: boolean
}): JSX.Element | null {
  const { place, end, isEmpty } = props
  const { isFollowing, upTo, leftAt, follow } = place
  const isPaused = upTo !== null
  if (isEmpty || (isFollowing && !isPaused)) return null
  const fresh = Math.max(0, end - (upTo ?? leftAt))
  const words = fresh === 0 ? 'Jump to latest' : lines(fresh)
  const paused = fresh === 0 ? 'Paused' : `Paused, ${lines(fresh)}`
  return (
    <FollowPill
      icon={isPaused ? Play : ArrowDown}
      words={isPaused ? paused : words}
      onFollow={follow}
    />
  )
}

/** A line that does not wrap is as wide as its text, and the region scrolls to its end. */
function WideItem({ ref, style, children }: CustomItemComponentProps): JSX.Element {
  const wide = { ...style, contain: 'style', width: 'auto', minWidth: '100%' }
  return (
    <div ref={ref} style={wide}>
      {children}
    </div>
  )
}

function Row(props: {
  readonly window: LogWindow
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
  readonly window: LogWindow
  readonly place: LogPlace
  readonly spot: LogSpot | null
  readonly wrap: boolean
  /** By server of the query, where lines of several stand together. */
  readonly names: readonly string[] | null
}

/** Keeps the end in view as long as it is followed, and goes to a line when one asks for it. */
function useView(
  { window, place, spot }: ListProps,
  list: RefObject<VirtualizerHandle | null>,
  count: number,
): () => void {
  const { origin } = window.extent
  const { isFollowing, leave } = place
  const look = (): void => {
    if (!list.current) return
    const { scrollOffset, viewportSize } = list.current
    const from = origin + list.current.findItemIndex(scrollOffset)
    const to = origin + list.current.findItemIndex(scrollOffset + viewportSize) + 1
    window.want(from, to, isFollowing)
  }
  useLayoutEffect(() => {
    if (isFollowing && count > 0) list.current?.scrollToIndex(count - 1, { align: 'end' })
    look()
  })
  useEffect(() => window.settle())
  const goTo = useEffectEvent(({ row }: LogSpot) => {
    leave()
    const { from, to } = window.inView
    const isInView = row > from && row < to - 1
    if (!isInView) list.current?.scrollToIndex(row - origin, { align: 'center' })
  })
  useEffect(() => {
    if (spot) goTo(spot)
  }, [spot])
  return look
}

/** Tells a user who scrolls from lines that come: following ends with the first, and begins at the end. */
function useScrolling(
  { isFollowing, arrive, leave }: LogPlace,
  region: RefObject<HTMLDivElement | null>,
  list: RefObject<VirtualizerHandle | null>,
) {
  const isHeld = useRef(false)
  const lastOffset = useRef(0)
  return {
    scrolled: (offset: number) => {
      const goesDown = offset >= lastOffset.current
      lastOffset.current = offset
      // Read only where it matters, as it makes the browser lay the list out.
      if (isFollowing && !isHeld.current) return
      const { scrollHeight = 0, clientHeight = 0 } = region.current ?? {}
      if (goesDown && offset + clientHeight >= scrollHeight - AT_END) arrive()
      else if (!goesDown && isHeld.current) leave()
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (!UP_KEYS.includes(event.key)) return
      leave()
      if (event.key !== 'Home') return
      // The list may be on its way to the end.
      event.preventDefault()
      list.current?.scrollTo(0)
    },
    onWheel: ({ deltaY }: WheelEvent) => deltaY < 0 && leave(),
    onTouchMove: leave,
    // Its own bar: what is inside has no part in it.
    onPointerDown: ({ target, currentTarget }: PointerEvent) =>
      (isHeld.current = target === currentTarget),
    onPointerUp: () => (isHeld.current = false),
  }
}

/** The lines in a virtual list that follows the newest until one scrolls up; the pill brings one back. */
export function LogLines(props: ListProps): JSX.Element {
  const { label, window, place, spot, wrap, names } = props
  const region = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const { origin, end, isShortened } = window.extent
  const count = Math.max(0, (place.upTo ?? end) - origin)
  const look = useView(props, list, count)
  const { scrolled, ...handlers } = useScrolling(place, region, list)
  const onScroll = (offset: number): void => {
    look()
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
              isCurrent={origin + index === spot?.row}
              names={names}
            />
          )}
        </Virtualizer>
        <div className="h-13" />
      </div>
      <Pill place={place} end={end} isEmpty={count === 0} />
    </>
  )
}

/** Where a user stands in a list of lines. */
type LogPlace = {
  readonly isFollowing: boolean
  /** Paused: lines from here on are not shown; null while they are. */
  readonly upTo: number | null
  /** After the newest line when following stopped. */
  readonly leftAt: number
  readonly pause: () => void
  /** Back to the newest line, and on with it. */
  readonly follow: () => void
  readonly arrive: () => void
  /** One scrolls up: lines that come do not pull back to the end. */
  readonly leave: () => void
}

/** Follows the newest lines, until it is left or paused; `end` is after the newest. */
export function useLogPlace(end: number): LogPlace {
  const [isFollowing, setFollowing] = useState(true)
  const [upTo, setUpTo] = useState<number | null>(null)
  const [leftAt, setLeftAt] = useState(0)
  const leave = (): void => {
    if (!isFollowing) return
    setFollowing(false)
    setLeftAt(end)
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
