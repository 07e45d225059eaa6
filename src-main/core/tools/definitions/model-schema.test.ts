import { describe, expect, it } from 'vitest'

import { modelProblems, ownArguments, simplifiedSchema } from './model-schema'

const TEXT = { type: 'string' }
const object = (properties: object, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
})
const simplified = (schema: Record<string, unknown>): unknown => simplifiedSchema(schema).schema

const ARMS = object(
  { id: TEXT, name: TEXT },
  { oneOf: [{ required: ['id'] }, { required: ['name'] }] },
)
const CONDITION = { if: { properties: { kind: { const: 'b' } } }, then: { required: ['b'] } }
const RECURSIVE = object(
  { tree: { $ref: '#/$defs/Tree' } },
  { $defs: { Tree: object({ next: { $ref: '#/$defs/Tree' }, label: TEXT }) } },
)
const NAMES = object({ $filter: TEXT, 'a b': TEXT, a_b: TEXT, ['k'.repeat(80)]: TEXT })

describe('F2: an input schema that the APIs of some models reject', () => {
  it.each([
    [object({ q: TEXT, 'a.b-c_1': TEXT }), []],
    [object({ q: { anyOf: [TEXT, { type: 'null' }] } }), []],
    [ARMS, [/^Claude and OpenAI models reject "oneOf" at the top level/u]],
    [object({}, { allOf: [CONDITION], not: {} }), [/"allOf", "not"/u]],
    [RECURSIVE, [/Gemini models reject "\$ref"/u]],
    [object({ q: { default: { $ref: 'a value' } }, definitions: TEXT }), []],
    [NAMES, [/Claude models reject these property names.*"\$filter", "a b", "k{80}"\./u]],
  ])('is reported with the models: %j', (schema, problems) => {
    const found = modelProblems(schema)
    expect(found).toHaveLength(problems.length)
    for (const [index, problem] of problems.entries()) expect(found[index]).toMatch(problem)
  })

  it.each([ARMS, object({}, { allOf: [CONDITION], not: {} }), RECURSIVE, NAMES])(
    'has no problem in its simplified form: %j',
    (schema) => {
      expect(modelProblems(simplifiedSchema(schema).schema)).toEqual([])
    },
  )
})

describe('F2: a simplified input schema', () => {
  it('is the same object if no model rejects it', () => {
    const schema = object({ q: TEXT }, { if: {}, then: {} })
    expect(simplified(schema)).toBe(schema)
  })

  it('accepts what any arm of a combinator accepts, and requires what all arms require', () => {
    expect(simplified(ARMS)).toEqual(object({ id: TEXT, name: TEXT }))
    const arms = [
      object({ of: { const: 'a' }, path: TEXT }, { required: ['of', 'path'] }),
      object({ of: { const: 'b' } }, { required: ['of'] }),
    ]
    const all = [object({ force: { type: 'boolean' } }, { required: ['force'] })]
    const closed = object({ q: TEXT }, { additionalProperties: false, anyOf: arms, allOf: all })
    expect(simplified(closed)).toEqual(
      object(
        {
          q: TEXT,
          force: { type: 'boolean' },
          of: { anyOf: [{ const: 'a' }, { const: 'b' }] },
          path: TEXT,
        },
        { required: ['force', 'of'] },
      ),
    )
  })

  it('has references inlined, also to places outside of definitions', () => {
    const schema = object(
      {
        headers: { type: 'object' },
        list: { type: 'array', items: { $ref: '#/properties/headers', description: 'One.' } },
      },
      { required: ['list'] },
    )
    expect(simplified(schema)).toEqual(
      object(
        {
          headers: { type: 'object' },
          list: { type: 'array', items: { type: 'object', description: 'One.' } },
        },
        { required: ['list'] },
      ),
    )
  })

  it('replaces recursive and dangling references by any value', () => {
    expect(simplified(RECURSIVE)).toEqual(object({ tree: object({ next: {}, label: TEXT }) }))
    expect(simplified(object({ q: { $ref: '#/$defs/None' } }))).toEqual(object({ q: {} }))
  })

  it('stays small if references multiply', () => {
    const level = (next: string): object => object({ a: { $ref: next }, b: { $ref: next } })
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`L${at}`, level(`#/$defs/L${at + 1}`)]),
    )
    const written = JSON.stringify(simplified(object({ q: { $ref: '#/$defs/L0' } }, { $defs })))
    expect(written.length).toBeLessThan(1_000_000)
  })

  it('renames properties to free names and maps them back', () => {
    const { schema, ownNames } = simplifiedSchema({ ...NAMES, required: ['$filter'] })
    expect(Object.keys(schema.properties as object)).toEqual([
      ...['_filter', 'a_b_2', 'a_b', 'k'.repeat(60)],
    ])
    expect(schema.required).toEqual(['_filter'])
    const args = { _filter: '1', a_b_2: '2', a_b: '3', other: '4' }
    expect(ownArguments(ownNames, args)).toEqual({ $filter: '1', 'a b': '2', a_b: '3', other: '4' })
    expect(ownArguments(ownNames, 'text')).toBe('text')
  })
})
