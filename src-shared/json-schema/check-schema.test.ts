import { describe, expect, it } from 'vitest'

import { checkSchema } from './check-schema'

const UNSURE = { faults: [], isUnsure: true }
const VALID = { faults: [], isUnsure: false }

describe('C11: a keyword that can’t be read', () => {
  it.each<[string, object, unknown]>([
    ['a limit of numbers', { minimum: '3' }, 1],
    ['a limit of characters', { maxLength: '3' }, 'abcd'],
    ['a limit of items', { maxItems: null }, [1]],
    ['a limit of matches', { contains: { const: 1 }, minContains: '2' }, [1]],
    ['another limit of matches', { contains: { const: 1 }, maxContains: [] }, [1, 1]],
    ['a pattern', { pattern: 7 }, 'a'],
    ['a list of schemas', { allOf: {} }, 'a'],
    ['a schema', { items: 5 }, [1]],
    ['a reference to nothing', { $ref: '#/$defs/a/b/c', $defs: { a: 'text' } }, 'a'],
    ['a reference below null', { $ref: '#/$defs/a/b', $defs: { a: null } }, 'a'],
    ['a reference to another document', { $ref: 'https://a.example/b.json' }, 'a'],
    ['an unsupported keyword', { unevaluatedProperties: false }, { a: 1 }],
  ])('asserts nothing, which the result says: %s', (_, schema, value) => {
    expect(checkSchema(schema, value)).toEqual(UNSURE)
  })

  it('asserts nothing in its negation either', () => {
    expect(checkSchema({ not: { pattern: 7 } }, 'a')).toEqual(UNSURE)
    expect(checkSchema({ not: { minimum: 3 } }, 1)).toEqual(VALID)
  })
})

describe('C11: a reference within a schema', () => {
  it('finds an anchor in a list of schemas', () => {
    const schema = { $ref: '#short', anyOf: [true, { $anchor: 'short', maxLength: 1 }] }
    expect(checkSchema(schema, 'a')).toEqual(VALID)
    expect(checkSchema(schema, 'ab').faults).toMatchObject([{ keyword: 'maxLength' }])
  })
})
