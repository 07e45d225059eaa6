import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ArgumentValidator, InvalidArgumentsError, normalizedArguments } from './argument-validator'

/** Opens a validator for one tool; `fault` returns its message about arguments, `unchecked` collects its reports. */
function open(schema: object = {}) {
  const unchecked: string[] = []
  const validator = new ArgumentValidator((_tool, message) => unchecked.push(message))
  type Written = { readonly args: unknown; readonly text?: string; readonly path?: string[] }
  const check = ({ args, ...where }: Written, own = schema, hash = 'h'): unknown => {
    const given = normalizedArguments({ plain: args, exact: args, ...where })
    return validator.check({ exposedName: 'files__read', schema: own, hash }, given).exact
  }
  const fault = (...given: Parameters<typeof check>): string | undefined => {
    try {
      check(...given)
      return undefined
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidArgumentsError)
      const prefix = 'Not sent: the arguments of files__read are invalid. '
      return (error as Error).message.replace(prefix, '')
    }
  }
  return { check, fault, unchecked }
}

describe('C11: the check of arguments before a server gets them', () => {
  it('passes valid arguments unchanged, no arguments as an empty object, and says that nothing was sent otherwise', () => {
    const { check } = open({ properties: { field: { type: 'string' } } })
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
    [
      'a text with a duplicate key',
      '{"a":1,"a":2}',
      'a JSON string with a duplicate or invalid key.',
    ],
    [
      'a text with half a character as key',
      String.raw`{"\ud83d":1}`,
      'a JSON string with a duplicate or invalid key.',
    ],
    [
      'an incomplete text',
      '{"a": 1',
      'not valid JSON: close brace expected at character 8, after "{\\"a\\": 1". Send an object.',
    ],
    ['an empty text', '', 'value expected at character 1. Send an object.'],
    ['a text with a number', '5', 'The arguments must be an object, got a string.'],
    ['a list', [1], 'The arguments must be an object, got an array of 1.'],
    ['a number', 1, 'The arguments must be an object, got the number 1.'],
    [
      'a text that is nested too deeply',
      `${'{"a":'.repeat(2_000)}0${'}'.repeat(2_000)}`,
      'The arguments are a JSON string with more than 512 levels. Send the object itself.',
    ],
    [
      'a long text that is not JSON, without searching for the fault',
      `{"a": "${'x'.repeat(20_000_000)}`,
      'The arguments are a string that is not valid JSON. Send an object.',
    ],
  ])('rejects %s in place of an object', (_, args, message) => {
    expect(open().fault({ args })).toContain(message)
  })

  it.each(['{"field":"x"}', '```json\n{"field":"x"}\n```'])(
    'reads the JSON text of an object as that object: %j',
    (args) => {
      expect(open().check({ args })).toEqual({ field: 'x' })
    },
  )

  const TWICE = 'Send it once, with the intended value.'
  it.each([
    ['{"o": [{}, {"b": 1, "b": 1}]}', `Duplicate key "b" in o[1]. ${TWICE}`],
    [String.raw`{"path": 1, "p\u0061th": 2}`, `Duplicate key "path". ${TWICE}`],
    [
      String.raw`{"options": {"list": [1, {"\ud83d": null}]}}`,
      String.raw`Invalid Unicode in the key "\ud83d" in options.list[1]: lone surrogate. Send valid Unicode.`,
    ],
    [String.raw`{"\ud83d\ude00": [{"a": "\ud800"}, null]}`, undefined],
    ['{}, "other": {"a": 1, "a": 2}', undefined],
  ])("rejects keys that the parsed value can't show: %s", (args, sentence) => {
    const text = `{"path":{"path":${args}}}`
    expect(open().fault({ args: {}, text, path: ['path', 'path'] })).toBe(sentence)
  })

  it('finds no such key in JSON that JavaScript wrote', () => {
    const { fault } = open()
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(fault({ args: {}, text: JSON.stringify(value, undefined, 1) })).toBeUndefined()
      }),
    )
  })

  it('is turned off for a tool after five timeouts, which is reported at the first and the last', () => {
    const schema = { properties: { name: { type: 'string' }, list: { uniqueItems: true } } }
    const { fault, unchecked } = open(schema)
    const long = { args: { list: Array(2_000).fill('') } }
    const wrong = { args: { name: 1 } }
    for (let round = 0; round < 4; round += 1) expect(fault(long)).toBeUndefined()
    expect(fault(wrong)).toContain('name must be a string')
    expect(fault(long)).toBeUndefined()
    expect(fault(wrong)).toBeUndefined()
    const sentence =
      'Arguments of files__read are sent unchecked: the schema takes too long to check for these values.'
    expect(unchecked).toEqual([sentence, sentence])
    expect(fault(wrong, schema, 'other')).toContain('name must be a string')
  })
})
