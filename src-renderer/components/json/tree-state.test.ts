import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isContainer, type JsonNode, nodeAt, readNodes } from './json-nodes'
import { TypeAhead } from './json-tree'
import {
  findText,
  reveal,
  rowWithPrefix,
  setOpen,
  siblings,
  treeOf as treeOfNodes,
  type TreeState,
} from './tree-state'

function treeOf(text: string, pointer = ''): TreeState {
  const whole = readNodes(text)
  const root = whole && nodeAt(whole, pointer)
  if (!root) throw new Error('Invalid JSON.')
  return treeOfNodes(root)
}

function depthOf({ root }: TreeState, node: JsonNode): number {
  return node.depth - root.depth
}

function shown(tree: TreeState): string[] {
  const { rows, root } = tree
  return rows.map((node) => {
    const name = node === root ? '' : (node.key ?? node.place)
    const value = isContainer(node) ? `(${node.children.length})` : node.source
    return `${'-'.repeat(depthOf(tree, node) + 1)}${name}:${value}`
  })
}

describe('D5: state of the JSON tree', () => {
  it('opens what fits one view, and shows each value with its position', () => {
    expect(shown(treeOf('{"a":[1,"x"],"b":{}}'))).toEqual([
      ...['-:(2)', '--a:(2)', '---0:1', '---1:"x"', '--b:(0)'],
    ])
  })

  it('opens only the list itself if it is large', () => {
    const tree = treeOf(JSON.stringify(Array.from({ length: 100 }, () => [1])))
    expect(tree.rows).toHaveLength(101)
    expect([...tree.open]).toEqual([tree.root])
  })

  it('opens and closes rows, and leaves values without children alone', () => {
    const tree = treeOf('{"a":[1,2],"b":3}')
    const [, a, , , b] = tree.rows as [JsonNode, JsonNode, JsonNode, JsonNode, JsonNode]
    const closed = setOpen(tree, [a], false)
    expect(shown(closed)).toEqual(['-:(2)', '--a:(2)', '--b:3'])
    expect(setOpen(closed, [b], true).rows).toHaveLength(3)
    expect(setOpen(closed, [a], true).rows).toHaveLength(5)
  })

  it('shows the direct members of an open value after it, whatever is opened and closed', () => {
    const commands = fc.array(fc.tuple(fc.nat(30), fc.boolean()), { maxLength: 20 })
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), commands, (value, request) => {
        const tree = request.reduce(
          (state, [row, isOpen]) => setOpen(state, state.rows.slice(row, row + 1), isOpen),
          treeOf(JSON.stringify(value)),
        )
        tree.rows.forEach((node, row) => {
          const level = depthOf(tree, node)
          const after = tree.rows.slice(row + 1)
          const end = after.findIndex((one) => depthOf(tree, one) <= level)
          const inside = end === -1 ? after : after.slice(0, end)
          const direct = inside.filter((one) => depthOf(tree, one) === level + 1)
          expect(direct).toHaveLength(tree.open.has(node) ? node.children.length : 0)
        })
      }),
    )
  })

  it('reveals a deeply nested value', () => {
    const deep = 5_000
    const closed = treeOf('['.repeat(deep) + '"end"' + ']'.repeat(deep))
    const [end = closed.root] = findText(closed, 'end')
    const tree = reveal(closed, end)
    expect(tree.rows.indexOf(end)).toBe(deep)
    expect(depthOf(tree, end)).toBe(deep)
  })

  it('opens all siblings of a value', () => {
    const tree = treeOf(JSON.stringify(Array.from({ length: 50 }, (_, index) => [index])))
    const [fifth = tree.root] = tree.root.children.slice(5)
    expect(setOpen(tree, siblings(tree, fifth), true).rows).toHaveLength(101)
    expect(siblings(tree, tree.root)).toEqual([tree.root])
  })

  it('finds the next row that starts with the typed text, wrapping around', () => {
    const tree = treeOf('{"apple":1,"Banana":2,"berry":[true,"bean"]}')
    expect(rowWithPrefix(tree, 'b', 0)).toBe(2)
    expect(rowWithPrefix(tree, 'b', 3)).toBe(3)
    expect(rowWithPrefix(tree, 'bea', 0)).toBe(5)
    expect(rowWithPrefix(tree, 'bee', 0)).toBe(-1)
    expect(rowWithPrefix(tree, 'a', 2)).toBe(1)
  })

  it('shows only a part, whose rows count from its root', () => {
    expect(shown(treeOf('{"a":{"b":[1]},"c":2}', '/a'))).toEqual(['-:(1)', '--b:(1)', '---0:1'])
  })

  it('joins letters that are typed quickly', () => {
    const typed = new TypeAhead()
    const type = (key: string, timeStamp: number) => typed.add({ key, timeStamp })
    expect(type('a', 1_000)).toBe('a')
    expect(type(' ', 1_100)).toBe('a ')
    expect(type('b', 1_200)).toBe('a b')
    expect(type('c', 5_000)).toBe('c')
    expect(type(' ', 9_000)).toBeUndefined()
    expect(type('PageDown', 9_000)).toBeUndefined()
  })
})
