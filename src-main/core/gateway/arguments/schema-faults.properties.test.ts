import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { prepareSchema } from './prepared-schema'
import { ARGUMENTS, findProblems } from './schema-faults'

function faults(schema: unknown, args: object): string[] {
  return findProblems(prepareSchema(schema), args, ARGUMENTS).map(({ message }) => message)
}

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
  fc.jsonValue().map((value) => ({ schema: { const: value }, value })),
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

  it('is told in sentences where a required field is taken away', () => {
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

  it('makes nothing throw but what says that it is not checked', () => {
    const keywords = [
      'type',
      'properties',
      'required',
      'items',
      'anyOf',
      'oneOf',
      'not',
      'enum',
      'if',
      'then',
    ]
    const more = [
      '$ref',
      '$id',
      'pattern',
      'patternProperties',
      'dependencies',
      'minimum',
      'contains',
    ]
    const odd = fc.dictionary(fc.constantFrom(...keywords, ...more), fc.jsonValue({ maxDepth: 4 }))
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
