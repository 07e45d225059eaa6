import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ArgumentValidator, InvalidArgumentsError, type ValidatedTool } from './argument-validator'

/** A validator whose failures reject; `unchecked` has what it reports. */
function open() {
  const unchecked: string[] = []
  const validator = new ArgumentValidator((_tool, message) => unchecked.push(message))
  const check = async (...given: Parameters<ArgumentValidator['check']>): Promise<unknown> =>
    Promise.resolve(validator.check(...given))
  return { checks: { check }, unchecked }
}

function tool(schema: unknown, hash = JSON.stringify(schema)): ValidatedTool {
  return { exposedName: 'files__read', schema, hash }
}
const withField = (schema: object): ValidatedTool =>
  tool({ type: 'object', properties: { field: schema } })

describe('C11 the check of arguments before a server gets them', () => {
  it('gives what fits as it is, and an empty object for none', async () => {
    const { checks } = open()
    const args = { field: 'x' }
    expect(await checks.check(withField({ type: 'string' }), { args })).toBe(args)
    expect(await checks.check(withField({}), { args: undefined })).toEqual({})
    expect(await checks.check(withField({}), { args: null })).toEqual({})
  })

  it.each([undefined, null])('checks none as an empty object: %s', async (args) => {
    const { checks } = open()
    const checking = checks.check(tool({ type: 'object', required: ['path'] }), { args })
    await expect(checking).rejects.toBeInstanceOf(InvalidArgumentsError)
    await expect(checking).rejects.toThrow('"path" is required')
  })

  it('refuses a key that no check can name', async () => {
    const { checks, unchecked } = open()
    const properties = { path: { type: 'string' } }
    const strict = tool({ type: 'object', properties, additionalProperties: false })
    const checking = checks.check(strict, {
      args: { path: 5, '\ud800': 1 },
      text: String.raw`{"path":5,"\ud800":1}`,
    })
    await expect(checking).rejects.toBeInstanceOf(InvalidArgumentsError)
    await expect(checking).rejects.toThrow(String.raw`the key "\ud800"`)
    expect(unchecked).toEqual([])
  })

  it('says for a model what does not fit, and that nothing was sent', async () => {
    const { checks } = open()
    const checking = checks.check(withField({ type: 'string' }), { args: { field: 1 } })
    await expect(checking).rejects.toBeInstanceOf(InvalidArgumentsError)
    await expect(checking).rejects.toMatchObject({
      code: 'INVALID_VALUES',
      message:
        'Not sent: the arguments of files__read are invalid. field must be a string, got the number 1.',
      hint: 'Correct the arguments and call again.',
    })
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
  ])('refuses %s in the place of an object', async (_, args, said) => {
    const { checks } = open()
    await expect(checks.check(withField({}), { args })).rejects.toThrow(said)
  })

  it('refuses keys that are there twice, which no value shows', async () => {
    const { checks } = open()
    const text = '{"field": "x", "field": "y"}'
    const checking = checks.check(withField({}), { args: { field: 'y' }, text })
    await expect(checking).rejects.toThrow('Duplicate key "field"')
  })

  it('prepares a schema once', async () => {
    const { checks, unchecked } = open()
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string' },
        limit: { type: 'integer' },
        mode: { enum: ['a', 'b'] },
      },
      required: ['path'],
    }
    const small = tool(schema)
    const args = { path: '/a/b', limit: 3, mode: 'b' }
    expect(await checks.check(small, { args })).toBe(args)
    // Whoever read this schema would fail, and leave the call unchecked.
    const unread = { ...small, schema: null }
    for (let at = 0; at < 100; at += 1)
      expect(await checks.check(unread, { args, text: JSON.stringify(args) })).toBe(args)
    await expect(checks.check(unread, { args: { ...args, mode: 'c' } })).rejects.toThrow('mode')
    expect(unchecked).toEqual([])
  })
})

const TREE = {
  $ref: '#/properties/field/$defs/t',
  $defs: {
    t: { properties: { next: { $ref: '#/properties/field/$defs/t' }, n: { type: 'number' } } },
  },
}
/** Each level of a value is visited ten times as often as the one above. */
const EXPLODING = {
  $ref: '#/properties/field/$defs/t',
  $defs: {
    t: {
      allOf: Array.from({ length: 10 }, () => ({
        properties: { next: { $ref: '#/properties/field/$defs/t' } },
      })),
    },
  },
}
const nested = (levels: number): object => (levels === 0 ? {} : { next: nested(levels - 1) })
const TOLD =
  'Arguments of files__read are sent unchecked: the schema takes too long to check for these values.'

describe('C11 schemas that may take long', () => {
  it.each([
    ['a schema that refers to itself', TREE, { next: { n: 1 } }, { next: { n: 'x' } }],
    ['elements that must differ', { type: 'array', uniqueItems: true }, [1, 2], [1, 1]],
    ['a pattern of one repeated class', { pattern: '^[a-z]+$' }, 'ab', 'a1'],
  ])('are checked within a bound: %s', async (_, schema, good, bad) => {
    const { checks, unchecked } = open()
    expect(await checks.check(withField(schema), { args: { field: good } })).toEqual({
      field: good,
    })
    await expect(checks.check(withField(schema), { args: { field: bad } })).rejects.toBeInstanceOf(
      InvalidArgumentsError,
    )
    expect(unchecked).toEqual([])
  })

  it('leave out patterns that can run away, and check the rest', async () => {
    const { checks, unchecked } = open()
    const slow = withField({ type: 'string', pattern: '^(a+)+$' })
    const args = { field: `${'a'.repeat(60)}b` }
    expect(await checks.check(slow, { args })).toBe(args)
    await expect(checks.check(slow, { args: { field: 1 } })).rejects.toThrow('must be a string')
    expect(unchecked).toEqual([])
  })

  it.each([
    ['values that multiply the work', EXPLODING, nested(12)],
    [
      'many elements that must differ',
      { uniqueItems: true },
      Array.from({ length: 2_000 }, String),
    ],
    ['many elements', { items: { type: 'string' } }, Array.from({ length: 600_000 }, () => '')],
  ])('are given up for %s, which is said once', async (_, schema, field) => {
    const { checks, unchecked } = open()
    const args = { field }
    for (let round = 0; round < 3; round += 1)
      expect(await checks.check(withField(schema), { args })).toBe(args)
    expect(unchecked).toEqual([TOLD])
  })

  it('are not checked once five took too long, which is said at the first and at the last', async () => {
    const { checks, unchecked } = open()
    const check = (field: object): Promise<unknown> =>
      checks.check(withField({ type: 'object', ...EXPLODING }), { args: { field } })
    for (let round = 0; round < 4; round += 1) await check(nested(12))
    await expect(check([])).rejects.toBeInstanceOf(InvalidArgumentsError)
    await check(nested(12))
    expect(await check([])).toEqual({ field: [] })
    expect(unchecked).toEqual([TOLD, TOLD])
  })

  it('are checked again after one that was nested too deeply for a check', async () => {
    const { checks, unchecked } = open()
    const deeper = tool({ type: 'object', properties: { a: { $ref: '#' }, b: { type: 'string' } } })
    let deep: Record<string, unknown> = {}
    for (let level = 0; level < 20_000; level += 1) deep = { a: deep }
    expect(await checks.check(deeper, { args: deep })).toBe(deep)
    expect(unchecked).toHaveLength(1)
    const invalid = checks.check(deeper, { args: { b: 1 } })
    await expect(invalid).rejects.toBeInstanceOf(InvalidArgumentsError)
  })

  it.each([
    ['too large', { allOf: Array.from({ length: 30_000 }, () => ({ type: 'string' })) }],
    ['broken', { $id: 'http://[', type: 'string' }],
  ])('or that are %s are not checked, which is said once', async (_, schema) => {
    const { checks, unchecked } = open()
    const args = { field: 1 }
    for (const round of [1, 2, 3])
      expect(await checks.check(tool(schema), { args }), String(round)).toBe(args)
    expect(unchecked).toHaveLength(1)
  })
})

describe('C11 what is kept of schemas', () => {
  it('is bounded, and by the definition: another one is read anew', async () => {
    const { checks, unchecked } = open()
    const strict = { properties: { field: { type: 'string' } } }
    const args = { field: 1 }
    expect(await checks.check(tool({}, 'first'), { args })).toBe(args)
    await expect(checks.check(tool(strict, 'second'), { args })).rejects.toBeInstanceOf(
      InvalidArgumentsError,
    )
    // The hash stands for the definition.
    expect(await checks.check(tool(strict, 'first'), { args })).toBe(args)
    for (let at = 0; at < 600; at += 1) await checks.check(tool({}, `other ${at}`), { args })
    await expect(checks.check(tool(strict, 'first'), { args })).rejects.toBeInstanceOf(
      InvalidArgumentsError,
    )
    expect(unchecked).toEqual([])
  })
})

describe('C11 keys that no value shows', () => {
  const faultIn = (text: string): string | undefined => {
    const validator = new ArgumentValidator(() => undefined)
    try {
      validator.check(tool({}), {
        args: {},
        text: `{"path":{"path":${text}}}`,
        path: ['path', 'path'],
      })
      return undefined
    } catch (error) {
      return (error as Error).message.replace(/^.*? are invalid\. /u, '')
    }
  }

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
  ])('%s', (text, sentence) => {
    expect(faultIn(text)).toBe(sentence)
  })

  it('are found in no JSON that JavaScript wrote', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(faultIn(JSON.stringify(value, undefined, 1))).toBeUndefined()
      }),
    )
  })
})
