import type { ListItem } from '../../ui/list/virtual-list'
import type { ListedTool, ListGroup } from './list-groups'

/** Heights of lines, in rem; a group ends with a gap. */
const SIZES = { tool: 2.25, head: 2.5, gap: 1 } as const

/** A line of the list: the head of a group, or one of its tools. */
export type GroupLine = {
  readonly key: string
  readonly group: ListGroup
  /** Missing of a head. */
  readonly listed?: ListedTool
  /** Its place among the tools of its group, from 0; -1 of a head. */
  readonly place: number
  /** How many tools of the list stand before its group. */
  readonly before: number
}

/** A group in view, with those of its rows that are; lengths are in px. */
export type ShownGroup = {
  readonly group: ListGroup
  /** From the top of the list. */
  readonly top: number
  readonly height: number
  readonly rows: readonly {
    readonly listed: ListedTool
    readonly index: number
    readonly isStop: boolean
    /** Among all tools of the list, from 1. */
    readonly position: number
    /** From the top of the group. */
    readonly top: number
  }[]
}

/** The lines of groups below each other. */
export function groupLines(groups: readonly ListGroup[]): readonly GroupLine[] {
  let before = 0
  return groups.flatMap((group) => {
    const lines = [
      { key: group.key, group, place: -1, before },
      ...group.tools.map((listed, place) => ({ key: listed.key, group, listed, place, before })),
    ]
    before += group.tools.length
    return lines
  })
}

/** The height of a line, in rem. */
export function lineHeight({ place, group }: GroupLine): number {
  const isLast = place === group.tools.length - 1
  return (place === -1 ? SIZES.head : SIZES.tool) + (isLast ? SIZES.gap : 0)
}

function heightBefore(place: number): number {
  return place === -1 ? 0 : SIZES.head + place * SIZES.tool
}

/** The groups that lines in view belong to; `rem` in px. */
export function shownGroups(
  lines: readonly GroupLine[],
  items: readonly ListItem[],
  rem: number,
): readonly ShownGroup[] {
  const shown = items.flatMap(({ index, ...item }) => {
    const line = lines[index]
    return line ? [{ ...item, index, line }] : []
  })
  return [...Map.groupBy(shown, ({ line }) => line.group)].map(([group, members]) => {
    const [first] = members
    const top = (first?.top ?? 0) - heightBefore(first?.line.place ?? -1) * rem
    return {
      group,
      top,
      height: heightBefore(group.tools.length) * rem,
      rows: members.flatMap(({ line: { listed, place, before }, index, isStop, top: rowTop }) =>
        listed ? [{ listed, index, isStop, position: before + place + 1, top: rowTop - top }] : [],
      ),
    }
  })
}
