import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { ListedTool, ListGroup } from './list-groups'
import { groupLines, lineHeight, shownGroups } from './tool-groups'

function group(key: string, count: number): ListGroup {
  const tools = Array.from({ length: count }, (_, at) => ({ key: `${key}${at}` }) as ListedTool)
  return { key, kind: 'server', tools }
}

describe('groups of tools', () => {
  it('are stacked with a gap between them, wherever the view starts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { minLength: 1 }), fc.nat(), (counts, seed) => {
        const lines = groupLines(counts.map((count, at) => group(String(at), count)))
        let top = 0
        const items = lines.map((line, index) => {
          const item = { key: line.key, index, top, isStop: false }
          top += lineHeight(line) * 10
          return item
        })
        const all = shownGroups(lines, items, 10)
        for (const [at, one] of all.entries())
          expect(one.top).toBe(
            at === 0 ? 0 : (all[at - 1]?.top ?? 0) + (all[at - 1]?.height ?? 0) + 10,
          )
        const tools = all.flatMap(({ rows }) => rows)
        expect(tools.map(({ position }) => position)).toEqual(tools.map((_, at) => at + 1))
        const [first] = shownGroups(lines, items.slice(seed % items.length), 10)
        expect(first?.top).toBe(all.find((one) => one.group === first?.group)?.top)
      }),
    )
  })
})
