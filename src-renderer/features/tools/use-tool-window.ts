import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'

import { nextRow } from '../../ui/focus/next-row'
import { useFocusRow } from '../../ui/focus/use-focus-row'
import { remInPx } from '../../ui/layout/rem'
import type { ListedTool, ListGroup } from './list-groups'

/** Heights in rem; a group ends with a gap. */
const SIZES = { row: 2.25, head: 2.5, gap: 1 } as const
/** What stays over the list while it scrolls, in rem: the tool bar and the head of the group. */
const COVER = 5.25
/** Rows that are drawn beyond what is in view, so that arrows find theirs. */
const OVERSCAN = 5

/** A group that is in view, with those of its rows that are. */
export type ShownGroup = {
  readonly group: ListGroup
  /** In px from the top of the list. */
  readonly top: number
  readonly height: number
  readonly rows: readonly {
    readonly listed: ListedTool
    /** Among all tools of the list. */
    readonly index: number
    /** In px from the top of the group. */
    readonly top: number
  }[]
}

/** The groups and rows in view, and the height of the whole list in px. */
export type ToolWindow = {
  readonly shown: readonly ShownGroup[]
  readonly height: number
  readonly press: (event: KeyboardEvent<HTMLElement>) => void
}

/** How far below the top of the region the list begins, in px. */
function useMargin(list: RefObject<HTMLElement | null>): number {
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const element = list.current
    const above = element?.parentElement?.firstElementChild
    if (!element || !above) return undefined
    const measure = (): void => setMargin(element.offsetTop)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(above)
    return () => observer.disconnect()
  }, [list])
  return margin
}

function shownGroups(
  groups: readonly ListGroup[],
  virtualizer: Virtualizer<HTMLDivElement, HTMLElement>,
  margin: number,
  rem: number,
): readonly ShownGroup[] {
  const rows = virtualizer.getVirtualItems()
  const [from, to] = [(rows[0]?.start ?? 0) - margin, (rows.at(-1)?.end ?? 0) - margin]
  const sizes = { row: SIZES.row * rem, head: SIZES.head * rem, gap: SIZES.gap * rem }
  return placeGroups(groups, sizes)
    .filter(({ top, height }) => top < to && top + height > from)
    .map(({ group, top, height, firstTool, firstLine }) => ({
      group,
      top,
      height,
      rows: rows.flatMap(({ index, start }) => {
        const at = index - firstLine - 1
        const listed = at < 0 ? undefined : group.tools[at]
        return listed ? [{ listed, index: firstTool + at, top: start - margin - top }] : []
      }),
    }))
}

/** Draws of the groups what is in view; arrows, Home, End and the page keys move the focus between the tools. */
export function useToolWindow(
  region: RefObject<HTMLDivElement | null>,
  list: RefObject<HTMLElement | null>,
  groups: readonly ListGroup[],
): ToolWindow {
  const rem = useMemo(remInPx, [])
  const margin = useMargin(list)
  // A head and its tools; the last line of a group is longer by the gap.
  const lines = useMemo(
    () =>
      groups.flatMap(({ key, tools }) => [
        { key, size: SIZES.head + (tools.length === 0 ? SIZES.gap : 0) },
        ...tools.map((listed, at) => ({
          key: listed.key,
          size: SIZES.row + (at === tools.length - 1 ? SIZES.gap : 0),
        })),
      ]),
    [groups],
  )
  const total = lines.length - groups.length
  const focusTool = useFocusRow(list, total)
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLElement>({
    count: lines.length,
    getScrollElement: () => region.current,
    estimateSize: useCallback((index) => (lines[index]?.size ?? SIZES.row) * rem, [lines, rem]),
    getItemKey: useCallback((index) => lines[index]?.key ?? index, [lines]),
    scrollMargin: margin,
    scrollPaddingStart: COVER * rem,
    scrollPaddingEnd: rem,
    overscan: OVERSCAN,
  })

  function press(event: KeyboardEvent<HTMLElement>): void {
    const { target } = event
    if (!(target instanceof HTMLElement) || target.dataset.index === undefined) return
    const visible = Math.floor((region.current?.clientHeight ?? 0) / (SIZES.row * rem))
    const next = nextRow(event.key, Number(target.dataset.index), total, Math.max(1, visible - 4))
    const line = next === undefined ? undefined : lineOfTool(groups, next)
    if (next === undefined || line === undefined) return
    event.preventDefault()
    virtualizer.scrollToIndex(line)
    focusTool(next)
  }
  return {
    shown: shownGroups(groups, virtualizer, margin, rem),
    height: Math.max(0, virtualizer.getTotalSize() - SIZES.gap * rem),
    press,
  }
}

/** A group with its place in the list, in px, and what stands before it. */
type ToolGroup = {
  readonly group: ListGroup
  readonly top: number
  readonly height: number
  /** How many tools stand before its own. */
  readonly firstTool: number
  /** How many lines, heads and tools, stand before its head. */
  readonly firstLine: number
}

/** Places groups below each other: a head, its tools, a gap; all in px. */
export function placeGroups(
  groups: readonly ListGroup[],
  { row, head, gap }: { readonly row: number; readonly head: number; readonly gap: number },
): readonly ToolGroup[] {
  const resolved: ToolGroup[] = []
  let [top, firstTool] = [0, 0]
  for (const [index, group] of groups.entries()) {
    const height = head + group.tools.length * row
    resolved.push({ group, top, height, firstTool, firstLine: firstTool + index })
    top += height + gap
    firstTool += group.tools.length
  }
  return resolved
}

/** Which line a tool stands in: one head stands before the tools of each group up to its own; undefined when there is no such tool. */
export function lineOfTool(groups: readonly ListGroup[], tool: number): number | undefined {
  let before = 0
  for (const [index, { tools }] of groups.entries()) {
    before += tools.length
    if (tool < before) return tool + index + 1
  }
  return undefined
}
