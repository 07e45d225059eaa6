import { type Schema, validate } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { BudgetError } from '../../../../src-shared/json-schema/check-budget'
import { findProblems } from './argument-messages'

/** Returns the messages about arguments that don't fit this schema. */
function faults(schema: unknown, args: object): string[] {
  return findProblems(schema, args, 'model').map(({ message }) => message)
}

const FILE = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    mode: { enum: ['read', 'write'] },
    options: { properties: { deep: {} }, required: ['deep'], additionalProperties: false },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 1 },
    shape: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'circle' }, r: { type: 'number' } } },
        { type: 'string' },
      ],
    },
    token: { type: 'number' },
  },
  required: ['path'],
  additionalProperties: false,
}

describe('C11: arguments that do not fit their schema', () => {
  it.each([
    [{ path: 1 }, 'path must be a string, got the number 1.'],
    [{ limit: '5' }, 'limit must be an integer, got the string "5". Remove the quotes: 5.'],
    [{ limit: 0 }, 'limit must be at least 1, got the number 0.'],
    [
      { mode: '"raed"' },
      'mode must be one of "read", "write", got the string "\\"raed\\"". Closest match: "read".',
    ],
    [{ options: {} }, '"deep" is required in options: expected a value.'],
    [
      { options: { deep: true, depth: 1 } },
      'Unknown argument "depth" (options.depth). Remove it. Allowed fields: "deep".',
    ],
    [{ tags: ['a', 2] }, 'tags[1] must be a string, got the number 2.'],
    [{ tags: ['long'] }, 'tags[0] must have at most 3 characters, got 4.'],
    [{ tags: [] }, 'tags must have at least 1 element, got 0.'],
    [
      { tags: '["a"]' },
      'tags must be an array, got the string "[\\"a\\"]". Send the array itself, not its JSON text.',
    ],
    [{ shape: 4 }, 'shape must be an object or a string, got the number 4.'],
    // The message covers the intended alternative only.
    [
      { shape: { kind: 'circle', r: '2' } },
      'shape.r must be a number, got the string "2". Remove the quotes: 2.',
    ],
    [{ token: 'sk-secret' }, 'token must be a number, got a string.'],
  ])('%j are reported as: %s', (args, message) => {
    expect(faults(FILE, { path: 'a', ...args })).toEqual([message])
  })

  it.each<[string, object, unknown, string]>([
    [
      'a member without its partner',
      { dependentRequired: { user: ['host', 'port'] } },
      { user: 'a' },
      'field must have "host", "port" where it has "user".',
    ],
    ['duplicates', { uniqueItems: true }, [1, 1], 'field must not contain duplicate elements.'],
    [
      'a list without an element of a kind',
      { contains: { type: 'string' } },
      [1],
      'field lacks an element that its schema requires.',
    ],
    [
      'the text of every alternative',
      { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
      'yes',
      'field must be a number or a boolean, got the string "yes".',
    ],
    [
      'a value that is not allowed',
      { not: { const: 'root' } },
      'root',
      'field has a value that is not allowed: the string "root".',
    ],
  ])('%s is reported', (_what, field, value, message) => {
    expect(faults({ properties: { field } }, { field: value })).toEqual([message])
  })

  it.each(['path_after', 'path"_after', 'Path', '`path`', 'pth'])(
    'name the intended key if a model wrote %s',
    (key) => {
      const [missing, unknown] = faults(FILE, { [key]: 'a' })
      expect(missing).toBe(
        `"path" is required: expected a string. Found ${JSON.stringify(key)}: did you mean "path"?`,
      )
      expect(unknown).toContain(`Unknown argument ${JSON.stringify(key)}. Did you mean "path"?`)
    },
  )

  it('get at most six sentences, each short', () => {
    const args = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [at, 'x'.repeat(100_000)]),
    )
    const messages = faults({ additionalProperties: { type: 'number' } }, args)
    expect(messages).toHaveLength(6)
    expect(Math.max(...messages.map((one) => one.length))).toBeLessThan(200)
  })
})

/** Refers to itself, as a schema's field. */
const TREE = {
  $ref: '#/properties/field/$defs/t',
  $defs: { t: { properties: { next: { $ref: '#/properties/field' }, n: { type: 'number' } } } },
}
/** Each level of a value is visited ten times as often as the level above. */
const EXPLODING = { allOf: Array(10).fill({ properties: { next: { $ref: '#' } } }) }
/** Each definition is twice as long as the one before, forty times. */
const DOUBLING = Array.from({ length: 40 }, (_, at) => {
  const next = { $ref: `#/$defs/${at + 1}` }
  return { allOf: [next, next] }
})
let deep = {}
for (let level = 0; level < 12; level += 1) deep = { next: deep }

describe('C11: schemas as servers write them', () => {
  it.each([
    ['an unchecked format', { format: 'uri', type: 'string' }, 'no uri', []],
    ['an unknown type', { type: 'int' }, 'x', []],
    ['required as in draft 3', { type: 'string', required: true }, 'x', []],
    ["a pattern that doesn't compile", { pattern: '[a-' }, 'x', []],
    ['a dangling reference', { $ref: '#/components/schemas/User' }, 'x', []],
    ["OpenAPI's nullable", { type: 'string', nullable: true }, null, []],
    ['alternatives by format', { oneOf: [{ format: 'uri' }, { format: 'email' }] }, 'x', []],
    ['no alternatives at all', { anyOf: [] }, 'x', []],
    ['a contradiction of an unchecked keyword', { not: { format: 'uri' } }, 'x', []],
    ['a condition of an unchecked keyword', { if: { format: 'uri' }, then: false }, 'x', []],
    ['an invalid schema', 'string', 'x', []],
    ['a boolean schema', false, 'x', ['field is not allowed.']],
    ['an exclusive minimum of draft 4', { minimum: 1, exclusiveMinimum: true }, 1, []],
    [
      'an array of draft 7',
      { items: [{ const: 2 }] },
      [1],
      ['field[0] must be 2, got the number 1.'],
    ],
    ['a recursive schema', TREE, { next: { n: 1 } }, []],
    [
      'a recursive schema',
      TREE,
      { next: { n: null } },
      ['field.next.n must be a number, got null.'],
    ],
  ])('are handled with %s', (_, schema, value, messages) => {
    expect(faults({ properties: { field: schema } }, { field: value })).toEqual(messages)
  })

  it('may name members that every object inherits', () => {
    const schema = { properties: { constructor: { type: 'string' } }, required: ['toString'] }
    expect(faults(schema, { toString: 'x' })).toEqual([])
    expect(faults(schema, {})).toEqual(['"toString" is required: expected a value.'])
    const proto = { properties: JSON.parse('{"__proto__": {"type": "number"}}') as unknown }
    expect(faults(proto, JSON.parse('{"__proto__": "x"}') as object)).toHaveLength(1)
  })

  it.each([
    ['refer to themselves', { $ref: '#' }, {}],
    ['are endless', { allOf: Array(600_000).fill(true) }, {}],
    ['double with each reference', { $ref: '#/$defs/0', $defs: DOUBLING }, {}],
    ['multiply the work with each level of a value', EXPLODING, deep],
    ['compare many elements', { uniqueItems: true }, Array(2_000).fill('')],
    ['apply to very many elements', { items: { type: 'string' } }, Array(600_000).fill('')],
  ])('are given up if they %s', (_, schema, value) => {
    expect(() => findProblems(schema, value)).toThrow(BudgetError)
  })
})

describe('C11: patterns of schemas', () => {
  it.each([
    ['^[a-zA-Z0-9_-]+$', true],
    [String.raw`^\d{4}-\d{2}-\d{2}$`, true],
    ['^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}$', true],
    ['^https?://', true],
    [String.raw`^[^/\\\n]*$`, true],
    ['^a.b', true],
    // The Unicode flag rejects these, but many servers write them.
    [String.raw`^\d{3}\-\d{4}$`, true],
    [String.raw`^[\w-.]+$`, true],
    [String.raw`^[a-z\_\-]+$`, true],
    [String.raw`^[\p{Nothing}]+$`, false],
    // Patterns with catastrophic backtracking are ignored.
    ['^(a+)+$', false],
    ['^(a|a)*$', false],
    ['^a*a*$', true],
    ['a+$', true],
    ['^(?=a)b', false],
    [String.raw`^(.)\1`, false],
    ['^[a-z]{1,9}[a-z]{1,9}$', true],
    [`^${'[a-z]'.repeat(60)}$`, true],
    // Built to be slow to parse.
    [`^${'a'.repeat(199)}`, true],
    [`^${'a{1}'.repeat(49)}`, true],
    [`^${'[a]'.repeat(66)}(`, false],
  ])('have %s checked: %s', (pattern, isChecked) => {
    expect(faults({ properties: { a: { pattern } } }, { a: '\n' })).toHaveLength(isChecked ? 1 : 0)
  })
})

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(null, true, 0, 1, 1.5, 2, '', 'x', 'xx'),
    fc.array(tie('value'), { minLength: 1, maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value')),
  ),
}))
/** Schemas over few names and values, so that many fit; references lead to the definition `s`. */
const { schema: anySchema } = fc.letrec<{ schema: object | boolean }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 })
  const type = fc.constantFrom('object', 'array', 'string', 'number', 'integer', 'null', 'boolean')
  const each = (names: string, value: fc.Arbitrary<unknown>) =>
    Object.fromEntries(names.split(' ').map((name) => [name, value]))
  const keywords = {
    ...each('items additionalProperties propertyNames not if then else', tie('schema')),
    ...each('prefixItems anyOf oneOf allOf', list),
    ...each('minimum maximum exclusiveMinimum exclusiveMaximum', fc.nat(2)),
    ...each('minLength maxLength minItems maxItems minProperties maxProperties', fc.nat(2)),
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })),
    enum: fc.array(anyValue, { minLength: 1 }),
    const: anyValue,
    required: fc.subarray(['a', 'b']),
    properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
    patternProperties: fc.constant({ '^a': { type: 'string' } }),
    pattern: fc.constant('^x$'),
    multipleOf: fc.constantFrom(1, 2),
    uniqueItems: fc.boolean(),
    $ref: fc.constant('#/$defs/s'),
  }
  const some = fc
    .subarray(Object.keys(keywords), { maxLength: 3 })
    .chain((keys) =>
      fc.record(Object.fromEntries(Object.entries(keywords).filter(([key]) => keys.includes(key)))),
    )
  return { schema: fc.oneof({ maxDepth: 3 }, fc.boolean(), some) }
})
const key = fc.oneof(fc.string(), fc.constantFrom('constructor', '__proto__', 'a/b~c'))

function json(value: unknown, replace?: (name: string, value: unknown) => unknown): unknown {
  return JSON.parse(JSON.stringify(value, replace))
}

describe('C11: arbitrary schemas and values', () => {
  it('fit exactly if an unbounded validator accepts them', () => {
    fc.assert(
      fc.property(anySchema, anySchema, anyValue, (own, s, given) => {
        // Without a self-reference the definition is finite.
        const $defs = { s: json(s, (name, one) => (name === '$ref' ? undefined : one)) }
        const [schema, value] = [json({ allOf: [own], $defs }), json(given)]
        const problems = findProblems(schema, value)
        expect(problems.length === 0).toBe(validate(value, schema as Schema, '2020-12').valid)
        expect(problems.every(({ message }) => message.length > 0)).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })

  it('fit if the schema was derived from the value, whatever its fields are called', () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), (value) => {
        const given = json(value) as Record<string, unknown>
        const properties = Object.fromEntries(
          Object.entries(given).map(([name, one]) => [name, { const: one }]),
        )
        const schema = { properties, required: Object.keys(given), additionalProperties: false }
        expect(faults(schema, given)).toEqual([])
      }),
    )
  })

  it('throw nothing but a BudgetError', () => {
    const keywords = 'type properties required items anyOf oneOf not enum if then $ref $id pattern'
    const more = 'patternProperties dependencies minimum contains'
    const keyword = fc.constantFrom(...keywords.split(' '), ...more.split(' '))
    const odd = fc.dictionary(keyword, fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(odd, fc.dictionary(fc.string(), fc.jsonValue()), (schema, args) => {
        try {
          expect(faults(schema, args).every((one) => one.length > 0)).toBe(true)
        } catch (error) {
          if (!(error instanceof BudgetError)) throw error
        }
      }),
      { numRuns: 500, examples: [[{ $ref: '#' }, {}]] },
    )
  })
})
