import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { describe, expect, it } from 'vitest'

import { Prompt, Resource, Tool } from '../../../../src-shared/domain/agents/capability'
import { agentDefinition } from './agent-definition'

const NAME = { name: 'odd' }
const toolOf = (members: object): Tool => Tool.parse({ ...NAME, ...members })
const validTool = (members: object): unknown => agentDefinition('Tool', toolOf(members)).valid
const inputOf = (inputSchema: unknown): unknown =>
  (validTool({ inputSchema }) as Tool | undefined)?.inputSchema
const faultOf = (members: object): string | undefined =>
  agentDefinition('Tool', toolOf(members)).fault

const OBJECT = { type: 'object' }
const ICON = { src: 'https://icons.example/a.png' }

describe('F2: definitions for agents', () => {
  it('are the same object as a valid tool', () => {
    const tool = toolOf({ inputSchema: { type: 'object', properties: { a: { default: null } } } })
    expect(agentDefinition('Tool', tool).valid).toBe(tool)
    expect(agentDefinition('Tool', tool)).toBe(agentDefinition('Tool', tool))
  })

  it('lack empty texts of a tool', () => {
    expect(
      validTool({ title: '', description: '', inputSchema: OBJECT, outputSchema: '' }),
    ).toEqual({ ...NAME, inputSchema: OBJECT })
  })

  it.each([
    [{ type: 'object', required: null }, OBJECT],
    [{ type: 'object', required: '' }, OBJECT],
    [
      { type: 'object', required: false, properties: { a: { type: 'string', required: true } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [{ type: 'object', properties: null }, OBJECT],
    [
      { type: 'object', properties: [], required: [] },
      { type: 'object', properties: {}, required: [] },
    ],
    [
      { type: 'object', properties: { a: [], b: null, c: true, d: false } },
      { type: 'object', properties: { a: {}, b: {}, c: {}, d: { not: {} } } },
    ],
    [undefined, { type: 'object', properties: {} }],
    [null, { type: 'object', properties: {} }],
    [true, OBJECT],
    [[], OBJECT],
    [{ type: null }, OBJECT],
    [
      { type: ['object', 'null'], title: 'x' },
      { type: 'object', title: 'x' },
    ],
    [{ anyOf: [OBJECT] }, { type: 'object', anyOf: [OBJECT] }],
    [
      { type: 'object', $defs: [], additionalProperties: [], properties: { a: { items: [] } } },
      { type: 'object', $defs: {}, additionalProperties: {}, properties: { a: { items: {} } } },
    ],
  ])('have the input schema %j as %j', (given, expected) => {
    expect(inputOf(given)).toEqual(expected)
  })

  it('lack an output schema that allows everything', () => {
    const valid = validTool({ inputSchema: OBJECT, outputSchema: true })
    expect(valid).toEqual({ ...NAME, inputSchema: OBJECT })
  })

  it('have an empty input schema if the tool has none', () => {
    const inputSchema = { type: 'object', properties: {} }
    expect(validTool({})).toEqual({ ...NAME, inputSchema })
  })

  it('keep all values inside a schema', () => {
    const values = { default: null, const: null, enum: [null, []], examples: [null, []] }
    const given = { type: 'object', required: null, properties: { a: values }, 'x-own': null }
    const expected = { type: 'object', properties: { a: values }, 'x-own': null }
    expect(inputOf(given)).toEqual(expected)
  })

  it.each([
    [
      { properties: { n: {} }, required: null },
      { type: 'object', properties: { n: {} } },
    ],
    [{ anyOf: [OBJECT, { required: ['n'] }] }, { type: 'object' }],
    [{ type: 'array', items: null }, { type: 'array' }],
    [{ oneOf: [OBJECT, { type: 'array' }] }, { oneOf: [OBJECT, { type: 'array' }] }],
  ])('have the output schema %j as %j', (outputSchema, expected) => {
    expect(validTool({ inputSchema: OBJECT, outputSchema })).toMatchObject({
      outputSchema: expected,
    })
  })

  it.each([
    [{ inputSchema: 'object' }, 'The input schema is not a JSON object.'],
    [
      { inputSchema: { type: 'string' } },
      'The input schema has type "string", but MCP allows only "object".',
    ],
    [
      { inputSchema: { properties: { a: 'string' } } },
      'The input schema defines "a" with an invalid schema.',
    ],
    [
      { inputSchema: { type: 'object', required: 'a' } },
      'The input schema requires something else than a list of names.',
    ],
    [{ inputSchema: OBJECT, outputSchema: 'x' }, 'The output schema is not a JSON object.'],
  ])('are rejected with a reason for %j', (members, fault) => {
    expect(faultOf(members)).toBe(fault)
  })

  it.each([
    [{ taskSupport: 'optional' }, undefined],
    [{ taskSupport: 'optional', 'example.com/other': 1 }, { 'example.com/other': 1 }],
    [{ taskSupport: 'forbidden' }, { taskSupport: 'forbidden' }],
    ['unknown', undefined],
    [{ taskSupport: 'sometimes' }, undefined],
  ])("have the execution %j as %j, because agents can't request tasks (E5)", (execution, given) => {
    expect(validTool({ inputSchema: OBJECT, execution })).toStrictEqual({
      ...{ ...NAME, inputSchema: OBJECT },
      ...(given !== undefined && { execution: given }),
    })
  })

  it('lack only invalid decorations', () => {
    const icons = [{ src: 5 }, { ...ICON, sizes: '48x48 96x96' }, {}]
    expect(validTool({ inputSchema: OBJECT, icons, _meta: [], execution: 'x' })).toEqual({
      ...NAME,
      inputSchema: OBJECT,
      icons: [{ ...ICON, sizes: ['48x48', '96x96'] }],
    })
    const annotations = { priority: 7, audience: ['user'], lastModified: 'yesterday' }
    const resource = Resource.parse({ uri: 'mem://a', name: 'a', size: 'big', annotations })
    expect(agentDefinition('Resource', resource).valid).toEqual({
      uri: 'mem://a',
      name: 'a',
      annotations: { audience: ['user'] },
    })
  })

  it('lack null members of prompts and their arguments', () => {
    const one = { name: 'x', description: null, required: null }
    const given = { name: 'q', description: null, arguments: [one], icons: null }
    expect(JSON.stringify(agentDefinition('Prompt', Prompt.parse(given)).valid)).toBe(
      '{"name":"q","arguments":[{"name":"x"}]}',
    )
    const none = Prompt.parse({ name: 'p', arguments: null, title: null })
    expect(JSON.stringify(agentDefinition('Prompt', none).valid)).toBe('{"name":"p"}')
  })
})

const SCHEMAS = resolve('../shared/data/mcp-schema')

describe.skipIf(!existsSync(SCHEMAS))('F2: definitions for agents and the official schema', () => {
  const odd = [
    { inputSchema: { type: 'object', properties: [], required: null } },
    { inputSchema: { properties: { a: true, b: null } }, annotations: { title: null } },
    { icons: [{ ...ICON, sizes: null }], _meta: null, execution: { taskSupport: null } },
    { inputSchema: { anyOf: [OBJECT] }, outputSchema: { properties: { a: true }, required: null } },
  ]
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'agree in version %s',
    (version) => {
      const text = readFileSync(resolve(SCHEMAS, `${version}.json`), 'utf8')
      const schema = JSON.parse(text) as { definitions?: Record<string, object>; $defs?: object }
      const $ref = schema.definitions ? '#/definitions/Tool' : '#/$defs/Tool'
      const validate = new AjvJsonSchemaValidator().getValidator({ ...schema, $ref } as object)
      for (const members of odd)
        expect(validate(validTool(members)).errorMessage, JSON.stringify(members)).toBeUndefined()
    },
  )
})
