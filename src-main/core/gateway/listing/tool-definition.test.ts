import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { describe, expect, it } from 'vitest'

import { Tool } from '../../../../src-shared/domain/agents/capability'
import { listedTool } from './tool-definition'

const toolDefinition = (tool: Tool, name: string): Tool | undefined =>
  listedTool(tool, name, false)?.definition

describe('E5 how a tool is called, as agents are told', () => {
  it.each([
    [{ taskSupport: 'optional' }, undefined],
    [{ taskSupport: 'optional', 'example.com/other': 1 }, { 'example.com/other': 1 }],
    [{ taskSupport: 'forbidden' }, { taskSupport: 'forbidden' }],
    ['unknown', undefined],
    [{ taskSupport: 'sometimes' }, undefined],
  ])('%j is %j, as no task can be asked for', (execution, told) => {
    const tool = { name: 'draw', title: 'Draw', inputSchema: { type: 'object' }, execution }
    const rest = { name: 'one__draw', title: 'Draw', inputSchema: { type: 'object' } }
    const definition = toolDefinition(tool, 'one__draw')
    expect(definition).toEqual({ ...rest, ...(told !== undefined && { execution: told }) })
    expect(definition && 'execution' in definition).toBe(told !== undefined)
    expect(toolDefinition(tool, 'one__draw')).toBe(definition)
  })
})

describe('F2 schemas with an $id', () => {
  it('lose it at the root, with their references to it', () => {
    const inputSchema = {
      $id: 'https://example.com/input',
      type: 'object',
      $defs: { city: { type: 'string' } },
      properties: {
        a: { $ref: 'https://example.com/input#/$defs/city' },
        b: { $ref: '#/$defs/city' },
        c: { $ref: 'https://example.com/other' },
      },
    }
    const outputSchema = { $id: 'https://example.com/output', type: 'object' }
    const tool = Tool.parse({ name: 'a', inputSchema, outputSchema })
    const { $id: _, properties, ...others } = inputSchema
    expect(toolDefinition(tool, 'one__a')).toEqual({
      name: 'one__a',
      outputSchema: { type: 'object' },
      inputSchema: { ...others, properties: { ...properties, a: { $ref: '#/$defs/city' } } },
    })
  })

  it('lose it inside too, so that one validator takes the tools of two servers', () => {
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
    const inputSchema = { type: 'object' }
    const definitions = ['string', 'number'].map((type) =>
      toolDefinition(Tool.parse({ name: type, inputSchema, outputSchema: output(type) }), type),
    )
    const validator = new AjvJsonSchemaValidator()
    const [texts, numbers] = definitions.map((one) =>
      validator.getValidator(one?.outputSchema as object),
    )
    expect(texts?.({ all: ['a'], $id: 'x' }).valid).toBe(true)
    expect(texts?.({ all: [1] }).valid).toBe(false)
    expect(numbers?.({ all: [1] }).valid).toBe(true)
    expect(definitions[0]?.outputSchema).toMatchObject({
      properties: { all: { items: { $ref: '#/properties/all/$defs/of' } }, $id: {} },
      $defs: { again: { $ref: '#/properties/all' } },
    })
  })
})
