// The resources, prompts and completions that server scenarios request by name.
import {
  fromJsonSchema,
  type McpServer,
  ProtocolError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import * as z from 'zod'

import { IMAGE } from './fixture-tools'

const said = (content: object): { role: 'user'; content: never } => ({
  role: 'user',
  content: content as never,
})
const saying = (text: string): ReturnType<typeof said> => said({ type: 'text', text })

export function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain', description: 'A text that stays' }
  server.registerResource('static-text', 'test://static-text', plain, ({ href: uri }) => ({
    contents: [
      { uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }))
  const picture = { mimeType: 'image/png', description: 'A red pixel' }
  server.registerResource('static-binary', 'test://static-binary', picture, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: IMAGE }],
  }))
  server.registerResource('watched', 'test://watched-resource', plain, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'Watched resource content.' }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  const described = { mimeType: 'application/json', description: 'Data by its id' }
  server.registerResource('template', template, described, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
  const Uri = z.looseObject({ uri: z.string() })
  for (const method of ['resources/subscribe', 'resources/unsubscribe'])
    server.server.setRequestHandler(method, { params: Uri }, ({ uri }) => {
      if (uri.startsWith('test://')) return {}
      throw new ProtocolError(-32_602, 'Resource not found', { uri })
    })
}

export function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () => ({
    messages: [saying('This is a simple prompt for testing.')],
  }))
  const texts = (...names: string[]): ReturnType<typeof fromJsonSchema<Record<string, string>>> =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
    })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'With arguments', argsSchema: texts('arg1', 'arg2') },
    ({ arg1, arg2 }) => ({
      messages: [saying(`Prompt with arguments: arg1='${arg1 ?? ''}', arg2='${arg2 ?? ''}'`)],
    }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource', argsSchema: texts('resourceUri') },
    ({ resourceUri: uri }) => ({
      messages: [
        said({
          type: 'resource',
          resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        saying('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'With an image' }, () => ({
    messages: [
      said({ type: 'image', data: IMAGE, mimeType: 'image/png' }),
      saying('Please analyze the image above.'),
    ],
  }))
  const Argument = z.looseObject({ argument: z.looseObject({ value: z.string() }) })
  server.server.setRequestHandler('completion/complete', { params: Argument }, ({ argument }) => ({
    completion: {
      values: ['paris', 'park', 'party'].filter((one) => one.startsWith(argument.value)),
      total: 3,
      hasMore: false,
    },
  }))
}
