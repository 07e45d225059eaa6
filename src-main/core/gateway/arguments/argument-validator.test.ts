import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ArgumentValidator, type GivenArguments, InvalidArgumentsError } from './argument-validator'

/** A validator of one tool; `fault` is what it says of arguments, `unchecked` what it reports. */
function open(schema: unknown, hash = JSON.stringify(schema)) {
  const unchecked: string[] = []
  const validator = new ArgumentValidator((_tool, message) => unchecked.push(message))
  const check = (given: GivenArguments, other: unknown = schema, otherHash = hash): unknown =>
    validator.check({ exposedName: 'files__read', schema: other, hash: otherHash }, given)
  const fault = (...given: Parameters<typeof check>): string | undefined => {
    try {
      check(...given)
      return undefined
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidArgumentsError)
      return (error as Error).message.replace(
        'Not sent: the arguments of files__read are invalid. ',
        '',
      )
    }
  }
  return { check, fault, unchecked }
}
const field = (schema: object): object => ({ type: 'object', properties: { field: schema } })

describe('C11 the check of arguments before a server gets them', () => {
  it('gives what fits as it is and an empty object for none, or says what does not fit and that nothing was sent', () => {
    const { check } = open(field({ type: 'string' }))
    const args = { field: 'x' }
    expect(check({ args })).toBe(args)
    for (const none of [undefined, null, []]) expect(check({ args: none })).toEqual({})
    expect(() => check({ args: { field: 1 } })).toThrow(
      expect.objectContaining({
        code: 'INVALID_VALUES',
        message:
          'Not sent: the arguments of files__read are invalid. field must be a string, got the number 1.',
        hint: 'Correct the arguments and call again.',
      }),
    )
  })

  it.each([
    ['a JSON text', '{"field":"x"}', 'The arguments are a JSON string'],
    ['a fenced text', '```json\n{"a": 1}\n```', 'without quotes or code fences.'],
    [
      'a text that breaks off',
      '{"a": 1',
      'not valid JSON: close brace expected at character 8, after "{\\"a\\": 1". Send an object.',
    ],
    ['other quotes', "{'a': 1}", 'invalid symbol at character 2, after "{". Send an object.'],
    ['an empty text', '', 'value expected at character 1. Send an object.'],
    ['a text with a number', '5', 'The arguments must be an object, got a string.'],
    ['a list', [1], 'The arguments must be an object, got an array of 1.'],
    ['a number', 5, 'The arguments must be an object, got the number 5.'],
  ])('refuses %s in the place of an object', (_, args, said) => {
    expect(open({}).fault({ args })).toContain(said)
  })

  it.each([
    ['{"a": 1, "a": 2}', 'Duplicate key "a". Send it once, with the intended value.'],
    [
      '{"o": [{}, {"b": 1, "b": 1}]}',
      'Duplicate key "b" in o[1]. Send it once, with the intended value.',
    ],
    [
      String.raw`{"path": 1, "p\u0061th": 2}`,
      'Duplicate key "path". Send it once, with the intended value.',
    ],
    [
      String.raw`{"a\udc00b": 1}`,
      String.raw`Invalid Unicode in the key "a\udc00b": lone surrogate. Send valid Unicode.`,
    ],
    [
      String.raw`{"options": {"list": [1, {"\ud83d": null}]}}`,
      String.raw`Invalid Unicode in the key "\ud83d" in options.list[1]: lone surrogate. Send valid Unicode.`,
    ],
    [String.raw`{"\ud83d\ude00": [{"a": "\ud800"}, null]}`, undefined],
    [String.raw`{"a": {"a": [{"a": 1}, {"a": 2}]}, "b": "\"a\": 1"}`, undefined],
    ['{}, "other": {"a": 1, "a": 2}', undefined],
  ])('refuses keys that no value shows: %s', (args, sentence) => {
    const text = `{"path":{"path":${args}}}`
    expect(open({}).fault({ args: {}, text, path: ['path', 'path'] })).toBe(sentence)
  })

  it('finds no such key in JSON that JavaScript wrote', () => {
    const { fault } = open({})
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(fault({ args: {}, text: JSON.stringify(value, undefined, 1) })).toBeUndefined()
      }),
    )
  })
})

const NEXT = { $ref: '#/properties/field/$defs/t' }
const TREE = {
  ...NEXT,
  $defs: { t: { properties: { next: NEXT, n: { type: 'number' } } } },
}
/** Each level of a value is visited ten times as often as the one above. */
const EXPLODING = {
  ...NEXT,
  $defs: { t: { allOf: Array.from({ length: 10 }, () => ({ properties: { next: NEXT } })) } },
}
const nested = (levels: number): object => (levels === 0 ? {} : { next: nested(levels - 1) })
const TOLD =
  'Arguments of files__read are sent unchecked: the schema takes too long to check for these values.'

describe('C11 schemas that may take long', () => {
  it.each([
    ['a schema that refers to itself', TREE, { next: { n: 1 } }, { next: { n: 'x' } }],
    ['elements that must differ', { type: 'array', uniqueItems: true }, [1, 2], [1, 1]],
    ['a pattern of one repeated class', { pattern: '^[a-z]+$' }, 'ab', 'a1'],
    ['a type next to a pattern that can run away', { type: 'string', pattern: '^(a+)+$' }, '', 1],
  ])('are checked within a bound: %s', (_, schema, good, bad) => {
    const { fault, unchecked } = open(field(schema))
    expect(fault({ args: { field: good } })).toBeUndefined()
    expect(fault({ args: { field: bad } })).toContain('field')
    expect(unchecked).toEqual([])
  })

  it.each([
    ['values that multiply the work', EXPLODING, nested(12)],
    ['many elements that must differ', { uniqueItems: true }, Array(2_000).fill('')],
    ['many elements', { items: { type: 'string' } }, Array(600_000).fill('')],
  ])('are given up for %s, which is reported once', (_, schema, value) => {
    const { fault, unchecked } = open(field(schema))
    expect([1, 2, 3].map(() => fault({ args: { field: value } }))).toEqual(Array(3))
    expect(unchecked).toEqual([TOLD])
  })

  it('are not checked once five took too long, which is reported at the first and the last', () => {
    const { fault, unchecked } = open(field({ type: 'object', ...EXPLODING }))
    const long = { args: { field: nested(12) } }
    for (let round = 0; round < 4; round += 1) fault(long)
    expect(fault({ args: { field: [] } })).toContain('field must be an object')
    fault(long)
    expect(fault({ args: { field: [] } })).toBeUndefined()
    expect(unchecked).toEqual([TOLD, TOLD])
    expect(fault({ args: { field: [] } }, field({ type: 'object' }), 'other')).toContain('field')
  })

  it('are checked again after a value that was nested too deeply', () => {
    const properties = { a: { $ref: '#' }, b: { type: 'string' } }
    const { fault, unchecked } = open({ type: 'object', properties })
    let deep: Record<string, unknown> = {}
    for (let level = 0; level < 20_000; level += 1) deep = { a: deep }
    expect(fault({ args: deep })).toBeUndefined()
    expect(unchecked).toHaveLength(1)
    expect(fault({ args: { b: 1 } })).toContain('b must be a string')
  })
})
