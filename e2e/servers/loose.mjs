// A server that departs from the protocol as its argument says, for the tests of tolerant reading. It writes each received method to
// stderr.
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
  'null members': greets((hello) => ({
    ...hello,
    instructions: null,
    _meta: null,
    capabilities: { tools: { listChanged: null }, prompts: null, logging: null },
    serverInfo: { ...hello.serverInfo, title: null, websiteUrl: '', icons: null },
  })),
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
