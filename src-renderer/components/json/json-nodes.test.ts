import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  indented,
  type JsonNodes,
  nodeAt,
  pointerOf,
  prettyText,
  readNodes,
  valueText,
} from './json-nodes'
import { findText, treeOf } from './tree-state'

function nodesOf(text: string): JsonNodes {
  const nodes = readNodes(text)
  if (!nodes) throw new Error('Invalid JSON.')
  return nodes
}

const DEEP = 100_000

describe('D5 JSON as nodes', () => {
  it('keeps every value of any JSON, in order and with its pointer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const nodes = nodesOf(text)
        for (let node = 0; node < nodes.kinds.length; node += 1) {
          const pointer = pointerOf(nodes, node)
          expect(nodeAt(nodes, pointer)).toBe(node)
          expect(JSON.parse(nodes.sourceOf(node))).toEqual(atPointer(JSON.parse(text), pointer))
        }
        expect(nodes.sizes[0]).toBe(nodes.kinds.length)
      }),
    )
  })

  it('writes any JSON over lines without another meaning', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = prettyText(nodesOf(JSON.stringify(value)), 0, Infinity)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('writes it as JSON.stringify does', () => {
    const value = { a: [1, { b: 'x"y\n' }, [], {}], 'c/d': null }
    expect(prettyText(nodesOf(JSON.stringify(value)), 0, Infinity)).toBe(
      JSON.stringify(value, null, 2),
    )
  })

  it('never throws, whatever the text', () => {
    const letters = fc.constantFrom(...'{}[]:,"\\ntrue1-.e \u2028\ud800'.split(''))
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: letters })), (text) => {
        const isJson = (() => {
          try {
            JSON.parse(text)
            return true
          } catch {
            return false
          }
        })()
        expect(readNodes(text) === undefined).toBe(!isJson)
      }),
    )
  })

  it('keeps numbers as they were written', () => {
    const nodes = nodesOf('[12345678901234567890, 1.50, 1E400, -0]')
    expect([...nodes.childrenOf(0)].map((node) => nodes.sourceOf(node))).toEqual([
      '12345678901234567890',
      '1.50',
      '1E400',
      '-0',
    ])
    expect(valueText(nodes, 1, 100)).toBe('12345678901234567890')
  })

  it('is written over lines with the digits that were sent, and left as it is where it was cut', () => {
    const exact = '{"id":12345678901234567993,"huge":1e400,"near":0.10000000000000000555}'
    expect(indented(exact)).toBe(
      '{\n  "id": 12345678901234567993,\n  "huge": 1e400,\n  "near": 0.10000000000000000555\n}',
    )
    expect(indented('{"id":1234567890…')).toBe('{"id":1234567890…')
  })

  it('keeps keys that come twice, and takes the last one for a name', () => {
    const nodes = nodesOf('{"a":1,"b":2,"a":3}')
    expect([...nodes.childrenOf(0)].map((node) => nodes.keyOf(node))).toEqual(['a', 'b', 'a'])
    expect(nodes.sourceOf(nodes.member(0, 'a') ?? -1)).toBe('3')
    expect(prettyText(nodes, 0, 100)).toBe('{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}')
  })

  it('takes __proto__ and constructor for names like any other', () => {
    const nodes = nodesOf('{"__proto__":{"isAdmin":true},"constructor":null}')
    expect(nodes.keyOf(1)).toBe('__proto__')
    expect(nodeAt(nodes, '/__proto__/isAdmin')).toBe(2)
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect(nodeAt(nodes, '/toString')).toBeUndefined()
  })

  it(`reads what is nested ${DEEP} times`, () => {
    const nodes = nodesOf('[{"a":'.repeat(DEEP / 2) + '1' + '}]'.repeat(DEEP / 2))
    const deepest = nodes.kinds.length - 1
    expect(deepest).toBe(DEEP)
    expect(pointerOf(nodes, deepest)).toHaveLength(DEEP * 2)
    expect(nodeAt(nodes, pointerOf(nodes, deepest))).toBe(deepest)
    expect(prettyText(nodes, 0, 1_000)).toHaveLength(1_000)
    expect(findText(treeOf(nodes), '1')).toEqual([deepest])
  })

  it('finds words in names and in what texts say, not in how they are escaped', () => {
    const nodes = nodesOf('{"na\\u006De":"line\\nbreak","n":{"x":"\\"quoted\\""}}')
    expect(findText(treeOf(nodes, 0), 'NAME')).toEqual([1])
    expect(findText(treeOf(nodes, 0), 'nbreak')).toEqual([])
    expect(findText(treeOf(nodes, 0), 'e\nb')).toEqual([1])
    expect(findText(treeOf(nodes, 0), '"quoted"')).toEqual([3])
    expect(findText(treeOf(nodes, 2), 'line')).toEqual([])
  })

  it('follows pointers as RFC 6901 has them', () => {
    const nodes = nodesOf('{"a/b":1,"m~n":2,"":3,"list":[4,5]," ":6,"~1":7}')
    const valueAt = (pointer: string): string | undefined => {
      const node = nodeAt(nodes, pointer)
      return node === undefined ? undefined : nodes.sourceOf(node)
    }
    expect(['/a~1b', '/m~0n', '/', '/list/1', '/ ', '/~01'].map(valueAt)).toEqual([
      ...['1', '2', '3', '5', '6', '7'],
    ])
    for (const none of ['a', '/x', '/list/2', '/list/01', '/list/-', '/list/1/0', '/a~1b/'])
      expect(valueAt(none)).toBeUndefined()
  })
})

function atPointer(value: unknown, pointer: string): unknown {
  let at = value
  for (const part of pointer.split('/').slice(1))
    at = (at as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  return at
}
