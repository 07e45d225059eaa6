// The tools that server scenarios call by name, with the expected answers.
import { setTimeout as delay } from 'node:timers/promises'

import {
  fromJsonSchema,
  type McpServer,
  type RegisteredTool,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** A red pixel. */
export const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** Silence. */
const AUDIO = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='
const STEP_MS = 50

type Content =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } }
type Run = (args: Record<string, unknown>, context: ServerContext) => unknown

export const text = (value: string): Content => ({ type: 'text', text: value })
const image: Content = { type: 'image', data: IMAGE, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, value: string): Content => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
})

/** Adds a tool; without a schema it accepts any object. */
export function addTool(
  server: McpServer,
  name: string,
  run: Run,
  schema: object = {},
): RegisteredTool {
  const inputSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object', ...schema })
  const config = { description: `The tool ${name}`, inputSchema }
  return server.registerTool(
    name,
    config,
    async (args, context) => (await run(args, context)) as never,
  )
}

const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const CONTENTS: Readonly<Record<string, Content[]>> = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: AUDIO, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
}

/** The tools without server requests. */
export function addTools(server: McpServer): void {
  for (const [name, content] of Object.entries(CONTENTS)) addTool(server, name, () => ({ content }))
  addTool(server, 'json_schema_2020_12_tool', () => ({ content: [text('It fits.')] }), SCHEMA_2020)
  addTool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  addTool(server, 'test_tool_with_logging', async (_, context) => {
    for (const step of ['started', 'processing', 'completed']) {
      await context.mcpReq.log('info', `Tool execution ${step}`)
      await delay(STEP_MS)
    }
    return { content: [text('It logged.')] }
  })
  addTool(server, 'test_logging_tool', async (_, context) => {
    await context.mcpReq.log('info', 'Nobody has to hear that.')
    return { content: [text('It may have logged.')] }
  })
  addTool(server, 'test_tool_with_progress', reportProgress)
  addTool(server, 'test_headers', ({ region }) => ({ content: [text(String(region))] }), {
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
  })
}

const reportProgress: Run = async (_, { mcpReq }) => {
  const token = mcpReq._meta?.progressToken
  for (const progress of [0, 50, 100]) {
    if (token !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress, total: 100 },
      })
    await delay(STEP_MS)
  }
  return { content: [text('It is done.')] }
}
