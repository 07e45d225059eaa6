import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ListedTool, ListGroup } from './list-groups'
import { lineOfTool, placeGroups } from './use-tool-window'

const ANY_TOOL = {} as ListedTool

function group(key: string, count: number): ListGroup {
  return { key, kind: 'server', tools: Array.from({ length: count }, () => ANY_TOOL) }
}

const SIZES = { row: 10, head: 20, gap: 5 }

describe('the places of groups and tools', () => {
  it('stand below each other without gap or overlap but the one that is meant', () => {
    const resolved = placeGroups([group('a', 2), group('b', 0), group('c', 1)], SIZES)
    expect(resolved.map(({ top, height }) => [top, height])).toEqual([
      [0, 40],
      [45, 20],
      [70, 30],
    ])
    expect(resolved.map(({ firstTool, firstLine }) => [firstTool, firstLine])).toEqual([
      [0, 0],
      [2, 3],
      [2, 4],
    ])
  })

  it('have each tool in the line after its head and those before it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4)), (counts) => {
        const groups = counts.map((count, index) => group(String(index), count))
        const lines = counts.flatMap((count) => ['head', ...Array<string>(count).fill('tool')])
        const tools = lines.flatMap((kind, line) => (kind === 'tool' ? [line] : []))
        for (const [tool, line] of tools.entries()) expect(lineOfTool(groups, tool)).toBe(line)
        expect(lineOfTool(groups, tools.length)).toBeUndefined()
      }),
    )
  })
})
