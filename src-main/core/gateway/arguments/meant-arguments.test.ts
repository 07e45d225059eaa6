import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { exactJson } from '../../mcp/json/exact-json'
import { findProblems } from './argument-messages'
import { coercedArguments } from './argument-validator'

const NUMBERS = { type: 'array', items: { type: 'integer' } }
const NULLABLE = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
const properties = {
  ...{ count: { type: 'integer' }, ratio: { type: 'number' }, flag: { type: 'boolean' } },
  ...{ tags: { type: 'array', items: { type: 'string' } }, filter: { type: 'object' } },
  ...{ note: { type: 'string' }, maybe: NULLABLE, numbers: NUMBERS, any: {} },
  either: { type: ['integer', 'string'], minimum: 10, minLength: 3 },
  choice: { anyOf: [NUMBERS, { type: 'boolean' }] },
  level: { enum: [1, 2] },
  deep: { $ref: '#/$defs/deep' },
}
const deep = {
  type: 'object',
  properties: { at: { type: 'integer' }, in: { $ref: '#/$defs/deep' }, list: NUMBERS },
  required: ['at'],
  additionalProperties: false,
}
const SCHEMA = { type: 'object', properties, required: [], $defs: { deep } }

/** Returns the sent JSON for arguments that an agent wrote as this JSON. */
function meant(json: string, schema: object = SCHEMA): string {
  const given = { plain: JSON.parse(json) as unknown, exact: exactJson(json) }
  return JSON.stringify(coercedArguments(schema, given).exact)
}

describe('F7, C11: arguments with one meaning', () => {
  it.each([
    ['{"count":"5"}', '{"count":5}'],
    ['{"count":"5.0"}', '{"count":5}'],
    ['{"count":" -5 "}', '{"count":-5}'],
    ['{"count":"12345678901234567890"}', '{"count":12345678901234567890}'],
    ['{"ratio":"0.10000000000000000555"}', '{"ratio":0.10000000000000000555}'],
    ['{"flag":"true"}', '{"flag":true}'],
    ['{"tags":"[\\"1\\",\\"b\\"]"}', '{"tags":["1","b"]}'],
    ['{"tags":"```json\\n[]\\n```"}', '{"tags":[]}'],
    ['{"filter":"{\\"x\\":1.0}"}', '{"filter":{"x":1.0}}'],
    ['{"numbers":["1",2,"3"]}', '{"numbers":[1,2,3]}'],
    ['{"numbers":"[\\"1\\"]"}', '{"numbers":[1]}'],
    ['{"choice":"[1]"}', '{"choice":[1]}'],
    ['{"choice":"false"}', '{"choice":false}'],
    ['{"maybe":"5","count":null,"any":null}', '{"maybe":5,"any":null}'],
    ['{"count":null}', '{}'],
    ['{"level":"2"}', '{"level":2}'],
    [
      '{"deep":{"at":"1","in":"{\\"at\\":\\"2\\",\\"list\\":null}"}}',
      '{"deep":{"at":1,"in":{"at":2}}}',
    ],
    ['{"deep":{"at":1,"why":"x"}}', '{"deep":{"at":1}}'],
    ['{"count":"5","id":1.0,"big":1e400}', '{"count":5,"id":1.0,"big":1e400}'],
  ])('are sent as the schema wants them: %s', (json, sent) => {
    expect(meant(json)).toBe(sent)
  })

  it.each([
    ['a text with any content', '{"note":"5","any":"[1]","either":"5"}'],
    ['a valid value', '{"count":5,"tags":["5"],"maybe":null}'],
    ['a text with JSON of another type', '{"count":"five"}'],
    ['another number', '{"count":"5.5"}'],
    ['a word', '{"flag":"yes"}'],
    ['an empty text', '{"count":""}'],
    ['a text with a duplicate key', '{"filter":"{\\"x\\":1,\\"x\\":2}"}'],
    ['a number in place of a text', '{"note":5}'],
    ['null for a required member', '{"deep":{"at":null}}'],
    ['two extra members', '{"deep":{"at":1,"why":"x","how":"y"}}'],
    ['a misspelled member', '{"deep":{"at":1,"lists":[1]}}'],
    ['arguments with an invalid one', '{"count":"5","flag":"maybe"}'],
    ['a choice without a fitting branch', '{"choice":"{}"}'],
  ])('are left unchanged: %s', (_what, json) => {
    expect(meant(json)).toBe(json)
  })

  it('have no single meaning if a union can be read in two ways', () => {
    const closed = (name: string): object => ({
      ...{ type: 'object', properties: { [name]: { type: 'integer' } } },
      additionalProperties: false,
    })
    const schema = { properties: { it: { anyOf: [closed('alpha'), closed('beta')] } } }
    expect(meant('{"it":{"alpha":"1"}}', schema)).toBe('{"it":{"alpha":1}}')
    expect(meant('{"it":{"alpha":"1","beta":"2"}}', schema)).toBe('{"it":{"alpha":"1","beta":"2"}}')
  })

  it('lose a single member that a closed object forbids', () => {
    const none = { type: 'object', properties: {}, additionalProperties: false }
    expect(meant('{"random_string":"dummy"}', none)).toBe('{}')
    const path = { ...none, properties: { path: { type: 'string' } }, required: ['path'] }
    expect(meant('{"path":"x","explanation":"why"}', path)).toBe('{"path":"x"}')
    for (const json of ['{"file_path":"x"}', '{"explanation":"why"}'])
      expect(meant(json, path)).toBe(json)
  })

  it('follow conditions, tuples and combined schemas', () => {
    const schema = {
      allOf: [{ properties: { a: { type: 'integer' } } }, { properties: { b: NUMBERS } }],
      if: { properties: { kind: { const: 'n' } } },
      then: { properties: { value: { type: 'integer' } } },
      properties: { pair: { prefixItems: [{ type: 'integer' }, { type: 'string' }] } },
    }
    expect(meant('{"a":"1","b":"[2]","kind":"n","value":"3","pair":["4","5"]}', schema)).toBe(
      '{"a":1,"b":[2],"kind":"n","value":3,"pair":[4,"5"]}',
    )
    expect(meant('{"a":"1","kind":"t","value":"3"}', schema)).toBe('{"a":1,"kind":"t","value":"3"}')
  })

  it('fit after any conversion, and stay unchanged if they fit', () => {
    const text = fc.constantFrom('5', 'true', 'x', '[1]', '{"at":1}', 'null', '')
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }))
    const args = fc.dictionary(fc.constantFrom(...Object.keys(properties), 'more'), value)
    fc.assert(
      fc.property(args, (given) => {
        const json = JSON.stringify(given)
        const sent = meant(json)
        if (sent === json) return
        expect(findProblems(SCHEMA, given)).not.toEqual([])
        expect(findProblems(SCHEMA, JSON.parse(sent))).toEqual([])
      }),
    )
  })

  it('take bounded work for a schema that is built to be slow', () => {
    const any = { anyOf: Array.from({ length: 8 }, () => ({ $ref: '#' })) }
    const schema = { properties: { a: any }, additionalProperties: any, maxProperties: 1 }
    let json = '"x"'
    for (let level = 0; level < 12; level += 1) json = `{"a":${json},"b":"5"}`
    expect(() => meant(json, schema)).toThrow('takes too long')
  })
})
