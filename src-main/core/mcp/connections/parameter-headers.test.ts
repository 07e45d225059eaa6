import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { exactJson } from '../json/exact-json'
import { headerProblem, parameterHeaders } from './parameter-headers'

const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const text = (header: unknown) => ({ type: 'string', 'x-mcp-header': header })

describe('B13: parameters that are repeated in headers', () => {
  it('are those that the tool declares at any depth and the arguments contain', () => {
    const schema = of({
      region: text('Region'),
      size: { type: 'integer', 'x-mcp-header': 'Size' },
      deep: of({ flag: { type: 'boolean', 'x-mcp-header': 'Flag' } }),
      none: text('None'),
      other: { type: 'string' },
    })
    const given = { region: 'eu', size: 7, deep: { flag: false }, none: null, other: 'x' }
    expect(parameterHeaders(schema, given)).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Size': '7',
      'Mcp-Param-Flag': 'false',
    })
    expect(parameterHeaders(schema, undefined)).toEqual({})
    expect(parameterHeaders(of({ __proto__: text('P'), toString: text('T') }), {})).toEqual({})
  })

  it('are written as numbers, whatever their digits in the arguments', () => {
    const count = { type: 'integer', 'x-mcp-header': 'Count' }
    const given = exactJson('{"a":7.0,"b":1917043659912705297}')
    expect(
      parameterHeaders(of({ a: count, b: { ...count, 'x-mcp-header': 'Big' } }), given),
    ).toEqual({ 'Mcp-Param-Count': '7' })
  })

  it.each([
    [of({ a: text('') })],
    [of({ a: text(5) })],
    [of({ a: text('two words') })],
    [of({ a: text('a:b') })],
    [of({ a: text('ü') })],
    [of({ a: text('One'), b: text('one') })],
    [of({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    [of({ a: { type: ['string', 'null'], 'x-mcp-header': 'A' } })],
    [of({ a: { type: 'array', items: text('A') } })],
    [of({ a: { anyOf: [of({ b: text('A') })] } })],
    [of({}, { $defs: { a: text('A') } })],
    [{ ...of({}), 'x-mcp-header': 'A' }],
  ])('hide the tool if their declaration breaks the protocol: %j', (schema) => {
    expect(headerProblem(schema)).toMatch(/header/u)
    expect(parameterHeaders(schema, { a: 'x' })).toEqual({})
  })

  it("don't hide a tool that mentions them only in example data", () => {
    const example = { 'x-mcp-header': 5 }
    expect(headerProblem(of({ a: { type: 'object', default: example, enum: [example] } }))).toBe(
      undefined,
    )
    for (const odd of [undefined, null, 5, 'x', [], { properties: null }])
      expect(headerProblem(odd)).toBe(undefined)
  })

  it('can always be sent and decoded unchanged', () => {
    const schema = of({ a: text('A') })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.constantFrom('=?base64?eA==?=', '\ta', 'a\t', ' a', 'a ', 'a\r\nb'),
        ),
        (a) => {
          const wellFormed = a.toWellFormed()
          const sent = parameterHeaders(schema, { a: wellFormed })['Mcp-Param-A'] ?? ''
          expect(new Headers({ sent }).get('sent')).toBe(sent)
          const [, base64] = /^=\?base64\?(.*)\?=$/u.exec(sent) ?? []
          const read = base64 === undefined ? sent : Buffer.from(base64, 'base64').toString()
          expect(read).toBe(wellFormed)
        },
      ),
    )
  })
})
