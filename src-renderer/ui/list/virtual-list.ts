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

/** How a list is drawn; lengths are in rem. */
type ListOptions = {
  readonly count: number
  /** Identifies a row while others come and go; another function has all rows laid out again. */
  readonly keyOf?: (index: number) => Key
  /** Height of a row, or an estimate where rows are measured by their `measure`. */
  readonly sizeOf: (index: number) => number
  /** How many rows share a line, of cards in a grid; Left and Right lead to neighbors there. */
  readonly columns?: number
  /** What lies over the rows while they scroll, above and below. */
  readonly cover?: { readonly start?: number; readonly end?: number }
  /** Rows drawn beyond those in view. */
  readonly overscan?: number
  /** The row that stays where it is while others come and go. */
  readonly anchorTo?: 'start' | 'end'
  /** Where the list is scrolled to at first, in px. */
  readonly initialOffset?: () => number
  /** The selected row: Tab stops there, and the row is drawn wherever it is. */
  readonly current?: number | undefined
  /** Whether keys lead to a row; headings are passed over. */
  readonly canFocus?: (index: number) => boolean
  readonly onMove?: (index: number) => void
  readonly onFocus?: (index: number) => void
}

/** A row in view. Its control carries `data-index`. */
export type ListItem = {
  readonly key: Key
  readonly index: number
  /** In px from the top of the list. */
  readonly top: number
  /** Tab stops here; keys lead to the other rows. */
  readonly isStop: boolean
}

/** The rows in view, and what the element that holds them needs. */
export type VirtualList = {
  readonly items: readonly ListItem[]
  readonly holder: {
    readonly ref: (element: HTMLElement | null) => void
    readonly style: { readonly height: number }
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void
  }
  /** Ref of a row whose height isn't known; its element carries `data-index`. */
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

/** The element that holds the rows, what scrolls it, and how far below the top of that it begins, in px. */
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
    // What stands above the list may grow.
    const observer = new ResizeObserver(measure)
    for (const element of [parent, ...parent.children])
      if (element !== holder.current) observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { holder, scroller, margin, ref }
}

/** Focuses the row at an index, immediately or as soon as it is drawn; the last one where the list has become shorter. */
function useFocusRow(holder: { readonly current: HTMLElement | null }, count: number) {
  const wanted = useRef<{ readonly index: number; readonly element?: HTMLElement } | null>(null)
  const attempt = useCallback((): void => {
    const element = wanted.current?.element
    // A row that went away with the focus is focused again.
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
      // Where only the window lost the focus, the row has it still.
      if (document.activeElement !== target && !currentTarget.contains(relatedTarget)) leave()
    },
  }
}

/** Draws of a list the rows in view; arrows, Home, End and the page keys move the focus between them. */
export function useVirtualList(options: ListOptions): VirtualList {
  const { count, keyOf, sizeOf, columns = 1, cover, current, onMove, onFocus } = options
  const { holder, scroller, margin, ref } = useHolder()
  const rem = useMemo(remInPx, [])
  const focusRow = useFocusRow(holder, count)
  // A row that a key leads to is focused before the list has scrolled to it.
  const [reached, setReached] = useState<number>()
  const keyAt = useCallback((index: number): Key => keyOf?.(index) ?? index, [keyOf])
  const { focused, ...focusEvents } = useFocused(keyAt, onFocus)
  const kept = [current, reached]
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
    rangeExtractor: (range) => withRows(range, kept),
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

/** Leads the keyboard from a search into the list of the page, to the row that Tab stops at. */
export function enterList(event: KeyboardEvent): void {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main [data-index][tabindex="0"]')?.focus()
}

/** The row at an index or next to it that keys lead to, downwards unless `isUp`; the other way where there is none. */
export function nearestRow(
  index: number,
  isUp: boolean,
  count: number,
  canFocus: (index: number) => boolean,
): number | undefined {
  const steps = isUp ? [0, -1, 1] : [0, 1, -1]
  return steps.map((step) => index + step).find((at) => at >= 0 && at < count && canFocus(at))
}

/** The lines in view and those that are kept, in order: a row that is moved among others loses the focus. */
function withRows(range: Range, kept: readonly number[]): number[] {
  const lines = new Set([...defaultRangeExtractor(range), ...kept.filter((at) => at < range.count)])
  return [...lines].toSorted((one, other) => one - other)
}
