import type { Range, ScrollToOptions } from '@tanstack/react-virtual'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import type { FocusEvent, KeyboardEvent } from 'react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'

import { nextRow } from '../focus/next-row'

/** One rem in px, which depends on the user's text size. */
export function remInPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

type Key = string | number

/** Layout of a list; lengths are in rem. */
type ListOptions = {
  readonly count: number
  /** Identifies a row across changes; another function lays out all rows again. */
  readonly keyOf?: (index: number) => Key
  /** Height of a row, or an estimate if `measure` is used. */
  readonly sizeOf: (index: number) => number
  /** Number of cards in a line of a grid; Left and Right move between neighbors there. */
  readonly columns?: number
  /** Height of what covers the rows while they scroll, above and below. */
  readonly cover?: { readonly start?: number; readonly end?: number }
  /** Number of rendered rows beyond the visible ones. */
  readonly overscan?: number
  /** The end that stays in place while rows are added or removed. */
  readonly anchorTo?: 'start' | 'end'
  /** Initial scroll position, in px. */
  readonly initialOffset?: () => number
  /** The selected row: the Tab stop, which is always rendered. */
  readonly current?: number | undefined
  /** Whether keys can focus a row; headings are skipped. */
  readonly canFocus?: (index: number) => boolean
  readonly onMove?: (index: number) => void
  readonly onFocus?: (index: number) => void
}

/** A rendered row. Its control has `data-index`. */
export type ListItem = {
  readonly key: Key
  readonly index: number
  /** In px from the top of the list. */
  readonly top: number
  /** Whether it is the Tab stop; keys lead to the other rows. */
  readonly isStop: boolean
}

/** The rendered rows, and the props of their container. */
export type VirtualList = {
  readonly items: readonly ListItem[]
  readonly holder: {
    readonly ref: (element: HTMLElement | null) => void
    readonly style: { readonly height: number }
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void
  }
  /** Ref of a row with unknown height; its element has `data-index`. */
  readonly measure: (element: HTMLElement | null) => void
  /** Whether a row has the focus. */
  readonly isFocused: boolean
  readonly scrollTo: (index: number, align?: ScrollToOptions['align']) => void
  /** Scrolls to a row and focuses it. */
  readonly goTo: (index: number) => void
}

function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  for (let at = element?.parentElement; at; at = at.parentElement)
    if (/auto|scroll/u.test(getComputedStyle(at).overflowY)) return at
  return null
}

/** The container of the rows, its scroll parent, and its offset in that parent in px. */
function useHolder() {
  const holder = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLElement>(null)
  const [margin, setMargin] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    holder.current = element
    scroller.current = scrollerOf(element)
  }, [])
  useLayoutEffect(() => {
    const parent = holder.current?.parentElement
    if (!parent) return undefined
    const measure = (): void => {
      const [list, region] = [holder.current, scroller.current]
      if (!list || !region) return
      const { top } = region.getBoundingClientRect()
      setMargin(Math.round(list.getBoundingClientRect().top - top + region.scrollTop))
    }
    measure()
    // Content above the list may grow.
    const observer = new ResizeObserver(measure)
    for (const element of [parent, ...parent.children])
      if (element !== holder.current) observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { holder, scroller, margin, ref }
}

/** Focuses the row at an index, immediately or when it is rendered; the last one if the list became shorter. */
function useFocusRow(holder: { readonly current: HTMLElement | null }, count: number) {
  const wanted = useRef<{ readonly index: number; readonly element?: HTMLElement } | null>(null)
  const attempt = useCallback((): void => {
    const element = wanted.current?.element
    // A focused row that was removed by scrolling gets the focus again.
    const isLost = element?.isConnected === false && document.activeElement === document.body
    if (wanted.current === null || (element && !isLost)) return
    const index = Math.min(wanted.current.index, count - 1)
    const row = holder.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    if (!row) return
    wanted.current = { index, element: row }
    row.focus({ preventScroll: true })
  }, [holder, count])
  useEffect(attempt)
  return useCallback(
    (index: number) => {
      wanted.current = { index }
      attempt()
    },
    [attempt],
  )
}

function indexOf(target: EventTarget): number | undefined {
  const index = target instanceof HTMLElement ? target.dataset.index : undefined
  return index === undefined ? undefined : Number(index)
}

function useFocused(keyAt: (index: number) => Key, onRow: ListOptions['onFocus']) {
  const [focused, setFocused] = useState<{ readonly key: Key; readonly isInside: boolean }>()
  const leave = (): void => setFocused((before) => before && { ...before, isInside: false })
  return {
    focused,
    onFocus: ({ target }: FocusEvent<HTMLElement>): void => {
      const index = indexOf(target)
      if (index === undefined) leave()
      else {
        onRow?.(index)
        setFocused({ key: keyAt(index), isInside: true })
      }
    },
    onBlur: ({ target, relatedTarget, currentTarget }: FocusEvent<HTMLElement>): void => {
      // If only the window lost the focus, the row still has it.
      if (document.activeElement !== target && !currentTarget.contains(relatedTarget)) leave()
    },
  }
}

/** Renders the visible rows of a list; arrows, Home, End and the page keys move the focus between rows. */
export function useVirtualList(options: ListOptions): VirtualList {
  const { count, keyOf, sizeOf, columns = 1, cover, current, onMove, onFocus } = options
  const { holder, scroller, margin, ref } = useHolder()
  const rem = useMemo(remInPx, [])
  const focusRow = useFocusRow(holder, count)
  // The row that a key leads to is rendered before the list has scrolled to it.
  const [reached, setReached] = useState<number>()
  const keyAt = useCallback((index: number): Key => keyOf?.(index) ?? index, [keyOf])
  const { focused, ...focusEvents } = useFocused(keyAt, onFocus)
  const pinned = [current, reached]
    .filter((index) => index !== undefined)
    .map((index) => Math.floor(index / columns))
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: Math.ceil(count / columns),
    getScrollElement: () => scroller.current,
    estimateSize: (line) => sizeOf(line * columns) * rem,
    getItemKey: useCallback((line: number) => keyAt(line * columns), [keyAt, columns]),
    scrollMargin: margin,
    scrollPaddingStart: (cover?.start ?? 0) * rem,
    scrollPaddingEnd: (cover?.end ?? 0) * rem,
    overscan: options.overscan ?? 6,
    rangeExtractor: (range) => withRows(range, pinned),
    ...(options.anchorTo && { anchorTo: options.anchorTo }),
    ...(options.initialOffset && { initialOffset: options.initialOffset }),
  })
  const canFocus = (index: number): boolean => options.canFocus?.(index) ?? true
  const drawn = virtualizer.getVirtualItems().flatMap(({ index: line, start }) =>
    Array.from({ length: Math.min(columns, count - line * columns) }, (_, column) => {
      const index = line * columns + column
      return { index, key: keyAt(index), top: start - margin }
    }),
  )
  const stop =
    drawn.find(({ key }) => key === focused?.key) ??
    drawn.find(({ index }) => index === current) ??
    drawn.find(({ index }) => canFocus(index))
  const goTo = (index: number): void => {
    setReached(index)
    virtualizer.scrollToIndex(Math.floor(index / columns))
    focusRow(index)
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const from = indexOf(event.target)
    if (from === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const height = scroller.current?.clientHeight ?? 0
    const covered = ((cover?.start ?? 0) + (cover?.end ?? 0)) * rem
    const lines = Math.max(1, Math.floor((height - covered) / (sizeOf(from) * rem)) - 1)
    const next = nextRow(event.key, from, count, lines, options.columns)
    if (next === undefined) return
    event.preventDefault()
    const to = nearestRow(next, next < from, count, canFocus)
    if (to === undefined) return
    onMove?.(to)
    goTo(to)
  }
  return {
    items: drawn.map((item) => ({ ...item, isStop: item === stop })),
    holder: {
      ref,
      style: { height: virtualizer.getTotalSize() },
      onKeyDown: press,
      ...focusEvents,
    },
    measure: virtualizer.measureElement,
    isFocused: focused?.isInside ?? false,
    scrollTo: (index, align) =>
      virtualizer.scrollToIndex(Math.floor(index / columns), align ? { align } : {}),
    goTo,
  }
}

/** Moves the focus from a search into the list of the page, to its Tab stop. */
export function enterList(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main [data-index][tabindex="0"]')?.focus()
}

/** Returns the focusable row at an index or the next one, downwards unless `isUp`; otherwise in the other direction. */
export function nearestRow(
  index: number,
  isUp: boolean,
  count: number,
  canFocus: (index: number) => boolean,
): number | undefined {
  const steps = isUp ? [0, -1, 1] : [0, 1, -1]
  return steps.map((step) => index + step).find((at) => at >= 0 && at < count && canFocus(at))
}

/** The visible and kept lines in order, because a row that is moved in the DOM loses the focus. */
function withRows(range: Range, pinned: readonly number[]): number[] {
  const lines = new Set([
    ...defaultRangeExtractor(range),
    ...pinned.filter((at) => at < range.count),
  ])
  return [...lines].toSorted((one, other) => one - other)
}
