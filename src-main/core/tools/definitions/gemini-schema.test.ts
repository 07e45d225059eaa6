import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { geminiProblems, withoutGeminiProblems } from './gemini-schema'
import { modelProblems, simplifiedSchema } from './model-schema'

const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }
const object = (properties: object, more: object = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const property = (schema: unknown): JsonObject => object({ p: schema })

/** A property's schema, the expected problems, and the simplified form. */
const CASES: readonly [string, unknown, RegExp[], unknown][] = [
  ['no items', { type: 'array' }, [/arrays without .*: "p"/u], { type: 'array', items: TEXT }],
  [
    'no items in items',
    object({ parts: { type: 'array', items: { type: 'array' } } }),
    [/arrays without .*: "p\.parts\[\]"/u],
    object({ parts: { type: 'array', items: { type: 'array', items: TEXT } } }),
  ],
  [
    'no items in an arm',
    { anyOf: [{ type: 'array' }, TEXT] },
    [/arrays without/u],
    { anyOf: [{ type: 'array', items: TEXT }, TEXT] },
  ],
  [
    'untyped items',
    { type: 'array', items: {} },
    [/arrays without/u],
    { type: 'array', items: TEXT },
  ],
  [
    'items of several types with true as a schema',
    { type: ['array', 'null'], items: { type: ['object', 'null'], properties: { value: true } } },
    [/a list or have several types/u, /true or false as a schema: "p\[\]\.value"/u],
    {
      type: 'array',
      nullable: true,
      items: { type: 'object', nullable: true, properties: { value: {} } },
    },
  ],
  [
    'an empty choice',
    { type: 'string', enum: ['', 'asc', 'desc'] },
    [/"enum" values/u],
    { type: 'string', enum: ['asc', 'desc'] },
  ],
  [
    'choices of numbers',
    { type: 'integer', enum: [1, 2, 4] },
    [/"enum" values/u],
    { type: 'integer', description: 'One of: 1, 2, 4' },
  ],
  [
    'null as a choice',
    { enum: ['a', null] },
    [/"enum" values/u],
    { type: 'string', enum: ['a'], nullable: true },
  ],
  [
    'any type',
    { type: ['object', 'array', 'string', 'null'], items: TEXT },
    [],
    { type: 'string', nullable: true },
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [NUMBER, NUMBER] },
    [/a list or have several/u],
    { type: 'array', items: NUMBER },
  ],
  [
    'an older tuple of different types',
    { type: 'array', items: [NUMBER, TEXT], additionalItems: false },
    [/a list or have several/u],
    { type: 'array', items: TEXT },
  ],
]

describe('F2: what Gemini models reject in an input schema', () => {
  it.each(CASES)('is named and replaced: %s', (_, schema, expected, simple) => {
    const problems = modelProblems(property(schema))
    expect(problems).toHaveLength(expected.length)
    for (const [index, words] of expected.entries()) {
      expect(problems[index]).toMatch(/^Gemini models reject /u)
      expect(problems[index]).toMatch(words)
    }
    expect(simplifiedSchema(property(schema)).schema).toEqual(property(simple))
  })

  it('includes a required name without a property, which is added if others are allowed', () => {
    const ghost = object({ a: TEXT }, { required: ['a', 'b'] })
    expect(modelProblems(ghost)).toEqual([
      'Gemini models reject "required" names without a property.',
    ])
    expect(simplifiedSchema(ghost).schema).toEqual(
      object({ a: TEXT, b: TEXT }, { required: ['a', 'b'] }),
    )
    const closed = { ...ghost, additionalProperties: false }
    expect(simplifiedSchema(closed).schema).toMatchObject({ required: ['a'] })
  })

  it('is nothing in a schema that every model accepts, which stays the same object', () => {
    for (const schema of [
      object(
        { a: TEXT, list: { type: 'array', items: object({ b: NUMBER }) } },
        { required: ['a'] },
      ),
      object({ a: { description: 'anything' } }, { additionalProperties: false }),
      object({ a: { enum: ['x', 'y'] }, b: { anyOf: [TEXT, { type: 'null' }] } }),
    ]) {
      expect(modelProblems(schema)).toEqual([])
      expect(simplifiedSchema(schema).schema).toBe(schema)
    }
  })

  it('is nothing in the simplified form of any schema', () => {
    const type = fc.constantFrom(
      'string',
      'number',
      'integer',
      'boolean',
      'object',
      'array',
      'null',
    )
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.boolean(),
        fc.record(
          {
            type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })),
            enum: fc.array(fc.constantFrom('', 'a', 1, null, true, { b: 1 })),
            items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
            prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
            properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
            required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
            additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
            anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          },
          { requiredKeys: [] },
        ),
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('p', 'q'), schema), (properties) => {
        const simple = withoutGeminiProblems(object(properties))
        expect([...geminiProblems(simple)]).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})
