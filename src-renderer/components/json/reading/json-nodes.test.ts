import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { findText, MOST_FOUND } from './json-calls'
import { JsonNodes, readNodes } from './json-nodes'
import { nodeAt, pointerOf, pointerPart } from './json-pointer'
import { prettyText, valueText } from './json-text'

function nodesOf(text: string): JsonNodes {
  const nodes = readNodes(text)
  if (!(nodes instanceof JsonNodes)) throw new Error(nodes)
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
        expect(readNodes(text) === 'noJson').toBe(!isJson)
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
    expect(findText(nodes, 0, '1').places).toEqual([deepest])
  })

  it('reads a million items, and finds no more places than can be gone through', () => {
    const nodes = nodesOf(`[${'"ab",'.repeat(999_999)}"Ab"]`)
    expect(nodes.counts[0]).toBe(1_000_000)
    expect(nodeAt(nodes, '/999999')).toBe(1_000_000)
    const { places, isWhole } = findText(nodes, 0, 'AB')
    expect(places).toHaveLength(MOST_FOUND)
    expect(isWhole).toBe(false)
  })

  it('says of too many values that it makes no tree of them', () => {
    expect(readNodes('[1,2,3]', 3)).toBe('tooMany')
    expect(readNodes('[1,2,3]', 4)).toBeInstanceOf(JsonNodes)
  })

  it('finds words in names and in what texts say, not in how they are escaped', () => {
    const nodes = nodesOf('{"na\\u006De":"line\\nbreak","n":{"x":"\\"quoted\\""}}')
    expect(findText(nodes, 0, 'NAME').places).toEqual([1])
    expect(findText(nodes, 0, 'nbreak').places).toEqual([])
    expect(findText(nodes, 0, 'e\nb').places).toEqual([1])
    expect(findText(nodes, 0, '"quoted"').places).toEqual([3])
    expect(findText(nodes, 2, 'line').places).toEqual([])
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
    expect(pointerPart('a/~b')).toBe('a~1~0b')
  })
})

function atPointer(value: unknown, pointer: string): unknown {
  let at = value
  for (const part of pointer.split('/').slice(1))
    at = (at as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  return at
}
