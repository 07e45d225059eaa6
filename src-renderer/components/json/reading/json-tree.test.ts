import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { JsonNodes, readNodes } from './json-nodes'
import { JsonTree, MOST_ROWS, ROW_TEXT } from './json-tree'

function treeOf(text: string, root = 0): JsonTree {
  const nodes = readNodes(text)
  if (!(nodes instanceof JsonNodes)) throw new Error(nodes)
  return new JsonTree(nodes, root)
}

function shown(tree: JsonTree): string[] {
  return tree
    .rows(0, tree.count)
    .map(({ level, key = '', text, count }) => `${'-'.repeat(level)}${key}:${text}${count || ''}`)
}

describe('D5 the tree of JSON', () => {
  it('opens what fits a glance, and shows each value with its place', () => {
    const tree = treeOf('{"a":[1,"x"],"b":{}}')
    expect(shown(tree)).toEqual(['-:2', '--a:2', '---0:1', '---1:"x"', '--b:'])
    expect(tree.rows(2, 3)).toEqual([
      {
        ...{ node: 2, level: 3, kind: 'number', key: '0', text: '1', isCut: false },
        ...{ count: 0, isOpen: false, place: 0, of: 2 },
      },
    ])
  })

  it('opens of a large list only the list itself', () => {
    const tree = treeOf(JSON.stringify(Array.from({ length: 100 }, () => [1])))
    expect(tree.count).toBe(101)
    expect(tree.rows(1, 2)[0]).toMatchObject({ isOpen: false, count: 1, of: 100 })
  })

  it('closes and opens rows, and leaves what has nothing in it', () => {
    const tree = treeOf('{"a":[1,2],"b":3}')
    tree.setOpen(1, false)
    expect(shown(tree)).toEqual(['-:2', '--a:2', '--b:3'])
    tree.setOpen(2, true)
    expect(tree.count).toBe(3)
    tree.setOpen(1, true)
    expect(tree.count).toBe(5)
    tree.setOpen(99, true)
    expect(tree.count).toBe(5)
  })

  it('shows the same rows for any wishes as one who goes through all values', () => {
    const commands = fc.array(fc.tuple(fc.nat(30), fc.boolean()), { maxLength: 20 })
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), commands, (value, asked) => {
        const tree = treeOf(JSON.stringify(value))
        for (const [row, isOpen] of asked) tree.setOpen(row, isOpen)
        const rows = tree.rows(0, tree.count)
        rows.forEach(({ node }, row) => expect(tree.rowOf(node)).toBe(row))
        // What is open is followed by all that is directly in it.
        rows.forEach(({ isOpen, count, level }, row) => {
          const after = rows.slice(row + 1)
          const end = after.findIndex((one) => one.level <= level)
          const inside = end === -1 ? after : after.slice(0, end)
          const direct = inside.filter((one) => one.level === level + 1)
          expect(direct).toHaveLength(isOpen ? count : 0)
        })
      }),
    )
  })

  it('leads to a value that lies deep, and back to what it lies in', () => {
    const deep = 5_000
    const tree = treeOf('['.repeat(deep) + '"end"' + ']'.repeat(deep))
    expect(tree.reveal(deep)).toBe(deep)
    expect(tree.rows(deep, deep + 1)[0]).toMatchObject({ text: '"end"', level: deep + 1 })
    expect(tree.holderRow(deep)).toBe(deep - 1)
    expect(tree.holderRow(0)).toBeUndefined()
  })

  it('opens all beside a row', () => {
    const tree = treeOf(JSON.stringify(Array.from({ length: 50 }, (_, index) => [index])))
    expect(tree.openBeside(3)).toBe(5)
    expect(tree.count).toBe(101)
    expect(tree.rows(5, 7).map(({ key, isOpen }) => [key, isOpen])).toEqual([
      ['2', true],
      ['0', false],
    ])
  })

  it('goes to the next row that begins with what is typed, and around', () => {
    const tree = treeOf('{"apple":1,"Banana":2,"berry":[true,"bean"]}')
    expect(tree.rowThatBegins('b', 0)).toBe(2)
    expect(tree.rowThatBegins('b', 3)).toBe(3)
    expect(tree.rowThatBegins('bea', 0)).toBe(5)
    expect(tree.rowThatBegins('bee', 0)).toBeUndefined()
    expect(tree.rowThatBegins('a', 2)).toBe(1)
  })

  it('shows only a part, whose rows count from it', () => {
    const nodes = readNodes('{"a":{"b":[1]},"c":2}')
    if (!(nodes instanceof JsonNodes)) throw new Error(nodes)
    const tree = new JsonTree(nodes, 1)
    expect(shown(tree)).toEqual(['-:1', '--b:1', '---0:1'])
  })

  it('cuts long texts and long names', () => {
    const tree = treeOf(JSON.stringify({ ['k'.repeat(10_000)]: 'v'.repeat(10_000) }))
    const [row] = tree.rows(1, 2)
    expect(row?.text).toHaveLength(ROW_TEXT)
    expect(row?.isCut).toBe(true)
    expect(row?.key?.length).toBeLessThan(200)
  })

  it('shows no more rows than a page can be high', () => {
    const tree = treeOf(`[${'0,'.repeat(MOST_ROWS + 9)}0]`)
    expect(tree.count).toBe(MOST_ROWS)
    expect(tree.isCut).toBe(true)
    expect(tree.rows(MOST_ROWS - 1, MOST_ROWS + 5)).toHaveLength(1)
    expect(tree.reveal(MOST_ROWS + 5)).toBeUndefined()
  })
})
