import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  indentedText,
  inOrder,
  type JsonNode,
  nodeAt,
  pointerOf,
  prettyText,
  readNodes,
  valueText,
} from './json-nodes'
import { findText, treeOf } from './tree-state'

function rootOf(text: string): JsonNode {
  const root = readNodes(text)
  if (!root) throw new Error('Invalid JSON.')
  return root
}

const DEEP = 100_000

describe('D5: JSON as nodes', () => {
  it('keeps every value of any JSON, in order and with its pointer', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const root = rootOf(text)
        for (const node of inOrder(root)) {
          const pointer = pointerOf(node)
          expect(nodeAt(root, pointer)).toBe(node)
          expect(JSON.parse(node.source)).toEqual(atPointer(JSON.parse(text), pointer))
          expect(node.children.every(({ parent }) => parent === node)).toBe(true)
        }
      }),
    )
  })

  it('pretty-prints any JSON without changing its meaning', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = prettyText(rootOf(JSON.stringify(value)), Infinity)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('pretty-prints like JSON.stringify', () => {
    const value = { a: [1, { b: 'x"y\n' }, [], {}], 'c/d': null }
    expect(prettyText(rootOf(JSON.stringify(value)), Infinity)).toBe(JSON.stringify(value, null, 2))
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
    const { children } = rootOf('[12345678901234567890, 1.50, 1E400, -0]')
    expect(children.map(({ source }) => source)).toEqual([
      '12345678901234567890',
      '1.50',
      '1E400',
      '-0',
    ])
    expect(children.map((node) => valueText(node, 100))[0]).toBe('12345678901234567890')
  })

  it('pretty-prints with the digits that were sent, and leaves truncated text unchanged', () => {
    const exact = '{"id":12345678901234567993,"huge":1e400,"near":0.10000000000000000555}'
    expect(indentedText(exact)).toBe(
      '{\n  "id": 12345678901234567993,\n  "huge": 1e400,\n  "near": 0.10000000000000000555\n}',
    )
    expect(indentedText('{"id":1234567890…')).toBe('{"id":1234567890…')
  })

  it('keeps duplicate keys, and resolves a name to the last one', () => {
    const root = rootOf('{"a":1,"b":2,"a":3}')
    expect(root.children.map(({ key }) => key)).toEqual(['a', 'b', 'a'])
    expect(nodeAt(root, '/a')?.source).toBe('3')
    expect(prettyText(root, 100)).toBe('{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}')
  })

  it('treats __proto__ and constructor as ordinary names', () => {
    const root = rootOf('{"__proto__":{"isAdmin":true},"constructor":null}')
    expect(root.children.map(({ key }) => key)).toEqual(['__proto__', 'constructor'])
    expect(nodeAt(root, '/__proto__/isAdmin')?.source).toBe('true')
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    expect(nodeAt(root, '/toString')).toBeUndefined()
  })

  it(`reads ${DEEP} levels of nesting`, () => {
    const root = rootOf('[{"a":'.repeat(DEEP / 2) + '1' + '}]'.repeat(DEEP / 2))
    const [deepest = root, ...others] = findText(treeOf(root), '1')
    expect(others).toHaveLength(0)
    expect(deepest.depth).toBe(DEEP)
    expect(pointerOf(deepest)).toHaveLength(DEEP * 2)
    expect(nodeAt(root, pointerOf(deepest)) === deepest).toBe(true)
    expect(prettyText(root, 1_000)).toHaveLength(1_000)
  })

  it('finds text in names and decoded strings, not in their escapes', () => {
    const root = rootOf('{"na\\u006De":"line\\nbreak","n":{"x":"\\"quoted\\""}}')
    const found = (text: string, at = ''): string[] =>
      findText(treeOf(nodeAt(root, at) ?? root), text).map(pointerOf)
    expect(found('NAME')).toEqual(['/name'])
    expect(found('nbreak')).toEqual([])
    expect(found('e\nb')).toEqual(['/name'])
    expect(found('"quoted"')).toEqual(['/n/x'])
    expect(found('line', '/n')).toEqual([])
  })

  it('follows pointers by RFC 6901', () => {
    const root = rootOf('{"a/b":1,"m~n":2,"":3,"list":[4,5]," ":6,"~1":7}')
    const valueAt = (pointer: string): string | undefined => nodeAt(root, pointer)?.source
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
