import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { describe, expect, it } from 'vitest'

import { Tool } from '../../../../src-shared/domain/agents/capability'
import { listedTool, sessionOutputSchema } from './tool-definition'

const definitionOf = (tool: object): Tool | undefined =>
  listedTool(
    Tool.parse({ name: 'own', inputSchema: { type: 'object' }, ...tool }),
    'one__own',
    false,
  )?.definition

describe('F2: schemas with an $id', () => {
  it('lose it at the root, and references to it are rewritten', () => {
    const schema = (id: object, a: string): object => ({
      ...{ ...id, type: 'object', $defs: { city: { type: 'string' } } },
      properties: {
        a: { $ref: a },
        b: { $ref: '#/$defs/city' },
        c: { $ref: 'https://example.com/other' },
      },
    })
    const $id = 'https://example.com/input'
    const inputSchema = schema({ $id }, `${$id}#/$defs/city`)
    const outputSchema = { $id: 'https://example.com/output', type: 'object' }
    const definition = definitionOf({ inputSchema, outputSchema })
    expect(definition?.inputSchema).toEqual(schema({}, '#/$defs/city'))
    expect(definition?.outputSchema).toEqual({ type: 'object' })
  })

  it('lose it in subschemas too, so that one validator accepts the tools of two servers', () => {
    const item = (type: string): object => ({
      $id: 'https://example.com/item',
      type: 'array',
      items: { $ref: '#/$defs/of' },
      $defs: { of: { type } },
    })
    const output = (type: string): object => ({
      type: 'object',
      properties: { all: item(type), $id: { type: 'string' } },
      required: ['all'],
      $defs: { again: { $ref: 'https://example.com/item' } },
    })
    const schemas = ['string', 'number'].map(
      (type) => definitionOf({ outputSchema: output(type) })?.outputSchema as object,
    )
    const validator = new AjvJsonSchemaValidator()
    const [texts, numbers] = schemas.map((one) => validator.getValidator(one))
    expect(texts?.({ all: ['a'], $id: 'x' }).valid).toBe(true)
    expect(texts?.({ all: [1] }).valid).toBe(false)
    expect(numbers?.({ all: [1] }).valid).toBe(true)
    expect(schemas[0]).toMatchObject({
      properties: { all: { items: { $ref: '#/properties/all/$defs/of' } }, $id: {} },
      $defs: { again: { $ref: '#/properties/all' } },
    })
  })
})

describe('F2: an output schema that is no object, for sessions', () => {
  it('is wrapped with its references', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const [other, anchor] = ['https://example.com/other', '#anchor']
    const schema = {
      ...{ $schema, type: 'array' },
      items: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#' }, { $ref: other }, { $ref: anchor }] },
      $defs: { a: { properties: { next: { $ref: '#/$defs/a' } } } },
    }
    const moved = '#/properties/result/$defs/a'
    const items = {
      anyOf: [{ $ref: moved }, { $ref: '#/properties/result' }, { $ref: other }, { $ref: anchor }],
    }
    expect(sessionOutputSchema(schema)).toMatchObject({
      ...{ $schema, type: 'object', required: ['result'] },
      properties: {
        result: { type: 'array', items, $defs: { a: { properties: { next: { $ref: moved } } } } },
      },
    })
    const object = { type: 'object' }
    expect(sessionOutputSchema(object)).toBe(object)
  })
})
