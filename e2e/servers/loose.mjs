// A server that departs from the protocol as its argument says, for the tests of what is read tolerantly. Each method that
// reaches it stands on stderr.
import { respond, say } from './mcp-server.mjs'
import { createInterface } from 'node:readline'

const [, , way] = process.argv
const TOOLS = [{ name: 'echo', call: (args) => args }]
const FULL = { tools: {}, resources: {}, prompts: {} }
let calls = 0
let isPinged = false

/** What each way answers to a method; `undefined` leaves the answer to the usual server. */
const WAYS = {
  // Handshakes.
  'tools as a list': greets((hello) => ({ ...hello, capabilities: { tools: [{ name: 'echo' }] } })),
  'tools as true': greets((hello) => ({ ...hello, capabilities: { tools: true, prompts: false } })),
  'PHP maps': greets((hello) => ({ ...hello, capabilities: { tools: [], experimental: [] } })),
  'null members': greets((hello) => ({
    ...hello,
    instructions: null,
    _meta: null,
    capabilities: { tools: { listChanged: null }, prompts: null, logging: null },
    serverInfo: { ...hello.serverInfo, title: null, websiteUrl: '', icons: null },
  })),
  'no version': greets((hello) => ({ ...hello, serverInfo: { name: 'loose' } })),
  'version as number': greets((hello) => ({ ...hello, serverInfo: { name: 'loose', version: 2 } })),
  'no server info': greets(({ protocolVersion, capabilities }) => ({
    protocolVersion,
    capabilities,
  })),
  'no protocol version': greets(({ capabilities }) => ({ capabilities, serverInfo: null })),
  'no capabilities': greets((hello) => ({ ...hello, capabilities: {} })),
  'no lists': {
    initialize: greets((hello) => ({ ...hello, capabilities: {} })).initialize,
    'tools/list': () => ({ error: { code: -32601, message: 'Method not found' } }),
  },
  'protocol version as a number': greets((hello) => ({ ...hello, protocolVersion: 3 })),
  'unknown version': greets((hello) => ({ ...hello, protocolVersion: '1.0' })),
  // Negotiation.
  'dies on unknown methods': { other: () => process.exit(1) },
  'deaf after unknown methods': { other: () => silenceAll() },
  'refuses the key': {
    initialize: () => ({ error: { code: -32000, message: 'The API key is missing.' } }),
  },
  'pings first': {
    initialize: () => {
      say({ id: 'first', method: 'ping' })
    },
  },
  // Answers gone astray.
  'silent to pings': { ping: () => undefined },
  'answers on stderr': {
    'tools/call': ({ id }) => {
      const error = { code: -32602, message: 'The token has expired.' }
      process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`)
    },
  },
  'answers another id': {
    initialize: () => {
      say({ id: 99, result: {} })
    },
  },
  'says words only': {
    initialize: () => {
      process.stdout.write('Welcome!\nListening\n')
    },
  },
  'says nothing': { initialize: () => undefined },
  'frames its messages': {
    initialize: ({ id, params }) => {
      const { protocolVersion } = params
      const serverInfo = { name: 'framed', version: '1' }
      frame({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
    },
    'tools/list': ({ id }) => frame({ id, result: { tools: [{ name: 'echo', inputSchema: {} }] } }),
  },
  // Lists.
  'null lists': {
    ...greets((hello) => ({ ...hello, capabilities: FULL })),
    'tools/list': () => ({
      result: {
        _meta: null,
        nextCursor: null,
        tools: [
          {
            name: 'all',
            title: null,
            description: null,
            inputSchema: { type: 'object' },
            outputSchema: null,
          },
          {
            name: 'hints',
            inputSchema: { type: 'object' },
            annotations: { readOnlyHint: null, title: null },
          },
          {
            name: 'icons',
            inputSchema: { type: 'object' },
            icons: [{ src: '' }],
            _meta: [],
            annotations: [],
          },
          null,
        ],
      },
    }),
    'resources/list': () => ({
      result: { resources: [{ uri: 'memo://a', title: null, mimeType: null, size: null }] },
    }),
    'resources/templates/list': () => ({
      result: {
        resourceTemplates: [{ uriTemplate: 'memo://{id}', name: null, description: null }],
      },
    }),
    'prompts/list': () => ({
      result: {
        prompts: [
          { name: 'plain', arguments: null },
          { name: 'asks', arguments: [{ name: 'a', description: null, required: null }] },
        ],
      },
    }),
  },
  'null in results': {
    'tools/call': () => ({
      result: {
        _meta: null,
        isError: null,
        structuredContent: null,
        content: [{ type: 'text', text: 'forty-two', annotations: null, _meta: null }],
      },
    }),
  },
  'null params': {},
  'one list fails': {
    ...greets((hello) => ({ ...hello, capabilities: FULL })),
    'resources/list': () => ({
      error: { code: -32603, message: 'connect ECONNREFUSED 127.0.0.1:5999' },
    }),
    'prompts/list': () => ({ result: { prompts: [] } }),
  },
  'one list fails twice': {
    ...greets((hello) => ({ ...hello, capabilities: { tools: {}, prompts: {} } })),
    'prompts/list': () =>
      (calls += 1) < 3
        ? { error: { code: -32603, message: 'not yet' } }
        : { result: { prompts: [{ name: 'late' }] } },
  },
  'one list is silent': {
    ...greets((hello) => ({ ...hello, capabilities: { tools: {}, prompts: {} } })),
    'prompts/list': () => undefined,
  },
  'ignores cursors': {
    'tools/list': () => ({
      result: {
        nextCursor: 'same',
        tools: ['a', 'b'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      },
    }),
  },
  'all lists fail': {
    ...greets((hello) => ({ ...hello, capabilities: { tools: {}, prompts: {} } })),
    'tools/list': () => ({ error: { code: -32603, message: 'The database is away.' } }),
    'prompts/list': () => ({ error: { code: -32603, message: 'The database is away.' } }),
  },
}

function greets(change) {
  return {
    initialize: ({ params }) => ({
      result: change({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'loose', version: '1.0.0' },
      }),
    }),
  }
}

/** As a server that writes members it has no value for. */
function listed() {
  calls += 1
  const names = isPinged ? ['echo', 'later'] : ['echo']
  if (calls === 1) say({ id: 'ping', method: 'ping', params: null })
  return names.map((name) => ({ name, inputSchema: { type: 'object' } }))
}

/** As language servers write, without a newline behind it. */
function frame(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message })
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

let isDeaf = false
function silenceAll() {
  isDeaf = true
}

const answers = WAYS[way]
if (!answers) throw new Error(`unknown way: ${way}`)
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line)
    if (message.method) process.stderr.write(`${message.method}\n`)
    if (isDeaf) return
    if (way === 'pings first' && message.id === 'first') {
      say({
        id: calls,
        ...respond(TOOLS, { method: 'initialize', params: { protocolVersion: '2025-11-25' } }),
      })
      return
    }
    if (way === 'null params' && message.id === 'ping') {
      if (message.error) process.exit(3)
      isPinged = true
      say({ method: 'notifications/tools/list_changed', params: null })
      return
    }
    if (message.id === undefined || message.method === undefined) return
    if (way === 'pings first' && message.method === 'initialize') calls = message.id
    if (way === 'null params' && message.method === 'tools/list') {
      say({ id: message.id, result: { tools: listed() } })
      return
    }
    const known = ['initialize', 'ping', 'tools/list', 'tools/call'].includes(message.method)
    if (answers.other && !known && message.method !== 'ping') {
      answers.other()
      return
    }
    if (Object.hasOwn(answers, message.method)) {
      const answer = answers[message.method](message)
      if (answer !== undefined) say({ id: message.id, ...answer })
      return
    }
    say({ id: message.id, ...respond(TOOLS, message) })
  })
  .on('close', () => process.exit(0))
