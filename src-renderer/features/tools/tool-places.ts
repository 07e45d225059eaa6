import type { ListGroup } from './list-groups'

/** A group with its place in the list, in px, and what stands before it. */
export type ToolGroup = {
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
