import { validate } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { ARGUMENTS, BudgetError, findProblems } from './schema-check'

/** What is said of arguments that a schema like this gets. */
function faults(schema: unknown, args: object): string[] {
  return findProblems(schema, args, ARGUMENTS).map(({ message }) => message)
}

const FILE = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer', minimum: 1 },
    mode: { enum: ['read', 'write'] },
    options: {
      type: 'object',
      properties: { deep: { type: 'boolean' } },
      required: ['deep'],
      additionalProperties: false,
    },
    tags: { type: 'array', items: { type: 'string', maxLength: 3 }, minItems: 1 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    range: { $ref: '#/$defs/range' },
    token: { type: 'number' },
  },
  required: ['path'],
  additionalProperties: false,
  $defs: {
    range: { type: 'object', properties: { from: { type: 'number' } }, required: ['from'] },
  },
}

describe('C11 arguments that do not fit their schema', () => {
  it.each([
    [{ path: 1 }, 'path must be a string, got the number 1.'],
    [{}, '"path" is required: expected a string.'],
    [
      { path: 'a', limit: '5' },
      'limit must be an integer, got the string "5". Remove the quotes: 5.',
    ],
    [{ path: 'a', limit: 1.5 }, 'limit must be an integer, got the number 1.5.'],
    [{ path: 'a', limit: 0 }, 'limit must be at least 1, got the number 0.'],
    [
      { path: 'a', mode: 'raed' },
      'mode must be one of "read", "write", got the string "raed". Closest match: "read".',
    ],
    [
      { path: 'a', mode: '"read"' },
      'mode must be one of "read", "write", got the string "\\"read\\"". Closest match: "read".',
    ],
    [{ path: 'a', options: {} }, '"deep" is required in options: expected a boolean.'],
    [
      { path: 'a', options: '{"deep":true}' },
      'options must be an object, got the string "{\\"deep\\":true}". Send the object itself, not its JSON text.',
    ],
    [
      { path: 'a', options: '```json\n{"deep":true}\n```' },
      'options must be an object, got the string "```json\\n{\\"deep\\":true}\\n```". Send the object itself, not its JSON text.',
    ],
    [
      { path: 'a', options: { deep: true, depth: 1 } },
      'Unknown argument "depth" (options.depth). Remove it. Allowed fields: "deep".',
    ],
    [{ path: 'a', tags: ['a', 2] }, 'tags[1] must be a string, got the number 2.'],
    [{ path: 'a', tags: ['long'] }, 'tags[0] must have at most 3 characters, got 4.'],
    [{ path: 'a', tags: [] }, 'tags must have at least 1 element, got 0.'],
    [
      { path: 'a', tags: '["a"]' },
      'tags must be an array, got the string "[\\"a\\"]". Send the array itself, not its JSON text.',
    ],
    [{ path: 'a', note: 5 }, 'note must be a string or null, got the number 5.'],
    [{ path: 'a', range: {} }, '"from" is required in range: expected a number.'],
    [{ path: 'a', token: 'sk-secret' }, 'token must be a number, got a string.'],
  ])('%j: %s', (args, sentence) => {
    expect(faults(FILE, args)).toEqual([sentence])
  })

  it.each(['path_after', 'path"_after', 'Path', '`path`', 'pth'])(
    'a key that a model’s edit left as %s is told together with the one that was meant',
    (key) => {
      const [missing, unknown] = faults(FILE, { [key]: 'a' })
      expect(missing).toBe(
        `"path" is required: expected a string. Found ${JSON.stringify(key)}: did you mean "path"?`,
      )
      expect(unknown).toContain(`Unknown argument ${JSON.stringify(key)}. Did you mean "path"?`)
    },
  )

  it('names the field of the alternative that was meant, and no other', () => {
    const schema = {
      properties: {
        shape: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'circle' }, r: { type: 'number' } },
              required: ['r'],
            },
            { type: 'string' },
          ],
        },
      },
    }
    expect(faults(schema, { shape: { kind: 'circle', r: '2' } })).toEqual([
      'shape.r must be a number, got the string "2". Remove the quotes: 2.',
    ])
    expect(faults(schema, { shape: 4 })).toEqual([
      'shape must be an object or a string, got the number 4.',
    ])
  })

  it('has six sentences at most, and each is short', () => {
    const names = Array.from({ length: 50 }, (_, at) => `field${at}`)
    const schema = {
      properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
    }
    const said = faults(
      schema,
      Object.fromEntries(names.map((name) => [name, 'x'.repeat(100_000)])),
    )
    expect(said).toHaveLength(6)
    expect(Math.max(...said.map((one) => one.length))).toBeLessThan(200)
  })
})

describe('C11 schemas as servers write them', () => {
  it.each([
    ['a format that is not checked', { format: 'uri', type: 'string' }, 'no uri', []],
    ['a type that nobody knows', { type: 'int' }, 'x', []],
    ['required as in draft 3', { type: 'string', required: true }, 'x', []],
    ['a pattern that does not compile', { pattern: '[a-' }, 'x', []],
    ['a reference to nowhere', { $ref: '#/components/schemas/User' }, 'x', []],
    ['nullable of OpenAPI', { type: 'string', nullable: true }, null, []],
    [
      'alternatives that formats alone tell apart',
      { oneOf: [{ format: 'uri' }, { format: 'email' }] },
      'x',
      [],
    ],
    ['no alternatives at all', { anyOf: [] }, 'x', []],
    ['a contradiction over what is not checked', { not: { format: 'uri' } }, 'x', []],
    ['a condition over what is not checked', { if: { format: 'uri' }, then: false }, 'x', []],
    ['a schema that is no schema', 'string', 'x', []],
    ['a boolean one', false, 'x', ['field is not allowed.']],
    ['an exclusive minimum of draft 4, elsewhere', { minimum: 1, exclusiveMinimum: true }, 1, []],
    [
      'an array of draft 7',
      { items: [{ type: 'string' }] },
      [1],
      ['field[0] must be a string, got the number 1.'],
    ],
  ])('%s', (_, schema, value, said) => {
    expect(faults({ type: 'object', properties: { field: schema } }, { field: value })).toEqual(
      said,
    )
  })

  it.each([
    [
      'http://json-schema.org/draft-04/schema#',
      { minimum: 2, exclusiveMinimum: true },
      'field must be at least 2, got the number 1.',
    ],
    [
      'http://json-schema.org/draft-07/schema#',
      { exclusiveMinimum: 1 },
      'field must be more than 1, got the number 1.',
    ],
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ const: 2 }] }, undefined],
  ])('of the dialect %s', (dialect, schema, said) => {
    const all = faults({ $schema: dialect, properties: { field: schema } }, { field: 1 })
    expect(all).toEqual(said === undefined ? [] : [said])
  })

  it('may name what every object inherits', () => {
    const schema = { properties: { constructor: { type: 'string' } }, required: ['toString'] }
    expect(faults(schema, { toString: 'x' })).toEqual([])
    expect(faults(schema, {})).toEqual(['"toString" is required: expected a value.'])
    const proto = { properties: JSON.parse('{"__proto__": {"type": "number"}}') as unknown }
    expect(faults(proto, JSON.parse('{"__proto__": "x"}') as object)).toHaveLength(1)
  })

  it('leaves the schema as the server wrote it', () => {
    const schema = { properties: { a: { $ref: '#/$defs/b', format: 'uri' } }, $defs: { b: {} } }
    const before = structuredClone(schema)
    faults(schema, { a: 1 })
    expect(schema).toEqual(before)
    expect(Reflect.ownKeys(schema)).toEqual(['properties', '$defs'])
  })

  it.each([
    ['leads back to itself', { $ref: '#' }],
    ['has no end', { allOf: Array.from({ length: 600_000 }, () => true) }],
  ])('that %s are given up', (_, schema) => {
    expect(() => findProblems(schema, {})).toThrow(BudgetError)
  })

  it('that double with each step are given up', () => {
    const names = Array.from({ length: 40 }, (_, at) => `d${at}`)
    const $defs = Object.fromEntries(
      names.map((name, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` }
        return [name, at === 39 ? {} : { allOf: [next, next] }]
      }),
    )
    expect(() => findProblems({ $ref: '#/$defs/d0', $defs }, {})).toThrow(BudgetError)
  })
})

describe('C11 patterns of schemas', () => {
  const isChecked = (pattern: string): boolean =>
    faults({ properties: { a: { pattern } } }, { a: '\n' }).length > 0

  it.each([
    '^[a-zA-Z0-9_-]+$',
    String.raw`^\d{4}-\d{2}-\d{2}$`,
    '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}$',
    '^https?://',
    String.raw`^[^/\\\n]*$`,
    '^a.b',
  ])('%s is checked', (pattern) => {
    expect(isChecked(pattern)).toBe(true)
  })

  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^a*a*$',
    'a+$',
    '^(?=a)b',
    String.raw`^(.)\1`,
    '^[a-z]{1,9}[a-z]{1,9}$',
    `^${'[a-z]'.repeat(60)}$`,
  ])('%s can run away, and is ignored', (pattern) => {
    expect(isChecked(pattern)).toBe(false)
  })

  it.each(['a'.repeat(199), 'a{1}'.repeat(49), `${'[a]'.repeat(66)}(`])(
    'are read in no time, whatever they are made for: ^%s',
    (pattern) => {
      expect(typeof isChecked(`^${pattern}`)).toBe('boolean')
    },
  )
})

/** A schema with a value that fits it. */
type Pair = { readonly schema: object; readonly value: unknown }

const leaf: fc.Arbitrary<Pair> = fc.oneof(
  fc
    .string()
    .map((value) => ({ schema: { type: 'string', minLength: Array.from(value).length }, value })),
  fc.integer().map((value) => ({ schema: { type: 'integer', minimum: value }, value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ schema: { type: 'number' }, value })),
  fc.boolean().map((value) => ({ schema: { type: ['boolean', 'null'] }, value })),
  fc.constant({ schema: { type: 'null', format: 'uri' }, value: null }),
  fc
    .array(fc.string(), { minLength: 1 })
    .map((values) => ({ schema: { enum: values }, value: values.at(-1) })),
  // JSON has no -0.
  fc
    .json()
    .map((text) => JSON.parse(text) as unknown)
    .map((value) => ({ schema: { const: value }, value })),
)
const key = fc.oneof(
  fc.string(),
  fc.constantFrom('constructor', '__proto__', '$ref', 'a/b~c', 'type'),
)
const { pair } = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('pair'), { maxLength: 3 }).map((all) => ({
      schema: { type: 'array', prefixItems: all.map(({ schema }) => schema), maxItems: all.length },
      value: all.map(({ value }) => value),
    })),
    fc.dictionary(key, tie('pair'), { maxKeys: 4 }).map(objectOf),
    fc.tuple(tie('pair'), tie('pair')).map(([one, other]) => ({
      schema: { anyOf: [other.schema, one.schema], title: 'Either' },
      value: one.value,
    })),
    tie('pair').map(({ schema, value }) => ({
      schema: { allOf: [schema, {}], if: { type: 'string' }, then: {}, else: {} },
      value,
    })),
  ),
}))

function objectOf(all: Record<string, Pair>): Pair {
  const entries = Object.entries(all)
  const pick = (of: (one: Pair) => unknown): unknown =>
    Object.fromEntries(entries.map(([name, one]) => [name, of(one)]))
  const properties = pick(({ schema }) => schema)
  const required = entries.map(([name]) => name)
  return {
    schema: { type: 'object', properties, required, additionalProperties: false },
    value: pick(({ value }) => value),
  }
}

describe('C11 whatever comes', () => {
  it('passes where it fits the schema', () => {
    fc.assert(
      fc.property(fc.dictionary(key, pair, { maxKeys: 5 }), (all) => {
        const { schema, value } = objectOf(all)
        expect(faults(schema, JSON.parse(JSON.stringify(value)) as object)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('passes where it fits what a schema refers to', () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        const whole = { properties: { a: { $ref: '#/$defs/one' } }, $defs: { one: schema } }
        expect(faults(whole, JSON.parse(JSON.stringify({ a: value })) as object)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('names a required field that is removed, in a sentence', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), pair, { minKeys: 1, maxKeys: 4 }),
        fc.nat(),
        (all, n) => {
          const { schema, value } = objectOf(all)
          const names = Object.keys(all)
          const name = names[n % names.length] ?? ''
          const rest = JSON.parse(JSON.stringify(value)) as Record<string, unknown>
          Reflect.deleteProperty(rest, name)
          const said = faults(schema, rest)
          expect(said.length).toBeGreaterThan(0)
          expect(said.join(' ')).toContain('is required')
        },
      ),
      { numRuns: 200 },
    )
  })

  it('passes or fails as with the validator of the forms', () => {
    const small = fc.integer({ min: 0, max: 3 })
    const name = fc.constantFrom('a', 'b', 'c')
    const type = fc.constantFrom('string', 'integer', 'number', 'null', 'array', 'object')
    const scalar = fc.constantFrom('', 'a', 'ab', 'b1', -1, 0, 1, 1.5, 2, 3, true, false, null)
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
        fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
        fc.record({ const: scalar }),
        fc.record({ minimum: small, exclusiveMaximum: small }, { requiredKeys: [] }),
        fc.record({ multipleOf: fc.constantFrom(0.5, 2), maximum: small }),
        fc.record({ minLength: small, maxLength: small }, { requiredKeys: [] }),
        fc.record({ pattern: fc.constantFrom('^a', '^[ab]+$', '^b\\d$') }),
        fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
        fc.record({ not: tie('schema') }),
        fc.record({ if: tie('schema'), then: tie('schema'), else: tie('schema') }),
        fc.record(
          {
            prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            items: tie('schema'),
            ...{ minItems: small, maxItems: small },
          },
          { requiredKeys: [] },
        ),
        fc.record(
          {
            properties: fc.dictionary(name, tie('schema'), { maxKeys: 3 }),
            patternProperties: fc.dictionary(fc.constantFrom('^a', '^c$'), tie('schema')),
            additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
            required: fc.uniqueArray(name, { maxLength: 2 }),
            propertyNames: tie('schema'),
            ...{ minProperties: small, maxProperties: small },
          },
          { requiredKeys: [] },
        ),
      ),
    }))
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        scalar,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    }))
    fc.assert(
      fc.property(schema, value, (one, drawn) => {
        const given = JSON.parse(JSON.stringify(drawn)) as unknown
        const { valid } = validate(given, one, '2020-12')
        expect(findProblems(one, given).length === 0).toBe(valid)
      }),
      { numRuns: 2_000 },
    )
  })

  it('makes nothing throw but what says that it is not checked', () => {
    const keywords = 'type properties required items anyOf oneOf not enum if then $ref $id pattern'
    const more = 'patternProperties dependencies minimum contains'
    const keyword = fc.constantFrom(...keywords.split(' '), ...more.split(' '))
    const odd = fc.dictionary(keyword, fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(odd, fc.dictionary(fc.string(), fc.jsonValue()), (schema, args) => {
        let said: string[] = []
        try {
          said = faults({ ...schema, $ref: undefined }, args)
        } catch (error) {
          expect(error).toBeInstanceOf(Error)
        }
        expect(said.every((one) => one.length > 0)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
