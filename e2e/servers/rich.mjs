// A server with sessions and every feature: tools that respond late, report progress, log, ask the user, fail and exit; a resource to
// subscribe to, a template, prompts, completion, a log level. argv[2] is a name in its responses. While the file argv[3] exists,
// subscriptions fail. It writes everything it receives besides requests to stderr.
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

import { say, serveTools } from './mcp-server.mjs'

const [, , own = 'rich', refusing] = process.argv
const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: {},
  completions: {},
  logging: {},
}
const log = (text) => process.stderr.write(`${text}\n`)
const waiting = new Map()
const running = new Set()
const held = new Map()
let questions = 0

const text = (value) => ({ content: [{ type: 'text', text: value }] })

function ask(method, params) {
  const id = `ask-${(questions += 1)}`
  say({ id, method, params })
  return new Promise((resolve) => waiting.set(id, resolve))
}

const TOOLS = {
  /** Answers with what it got, after `ms`, or once it gets `until` in another call. */
  echo: async ({ ms = 0, value, until }, { meta, id }) => {
    running.add(id)
    held.get(value)?.()
    await (until === undefined ? delay(ms) : new Promise((resolve) => held.set(until, resolve)))
    if (!running.delete(id)) return undefined
    return { ...text(`${own}: ${JSON.stringify(value)}`), own, value, meta }
  },
  /** Reports `times` times, says so on stderr, and answers. */
  report: async ({ times, value }, { meta }) => {
    for (let progress = 1; progress <= times; progress += 1) {
      const { progressToken } = meta ?? {}
      const message = `${own} ${value} ${progress}`
      say({
        method: 'notifications/progress',
        params: { progressToken, progress, total: times, message },
      })
      await delay(1)
    }
    log(`reported ${times} times`)
    return text(`${own} ${value}`)
  },
  /** Logs `times` times at `level`. */
  log: async ({ level, times = 1, value }) => {
    for (let index = 0; index < times; index += 1)
      say({
        method: 'notifications/message',
        params: { level, logger: 'own', data: { index, of: own, value }, extra: 1 },
      })
    return text('logged')
  },
  ask: async ({ message }) => {
    const requestedSchema = {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    }
    return text(JSON.stringify(await ask('elicitation/create', { message, requestedSchema })))
  },
  touch: async ({ uri }) => {
    say({ method: 'notifications/resources/updated', params: { uri } })
    return text('touched')
  },
  refuse: async () => {
    throw { code: 4711, message: 'No such thing', data: { thing: [1, { two: null }] } }
  },
  die: async () => {
    log('the last words')
    setTimeout(() => process.exit(3), 20)
    return new Promise(() => undefined)
  },
  list: async () => ({ ...text('[1,2]'), structuredContent: [1, 2] }),
}

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: { name: own, version: '1' },
    instructions: `Use ${own} with care.`,
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `The tool ${name}`,
      inputSchema:
        name === 'echo'
          ? { type: 'object', properties: { ms: { type: 'integer' }, value: {} } }
          : { type: 'object' },
      _meta: { 'example.com/of': own },
      ...(name === 'list' && { outputSchema: { type: 'array' } }),
    })),
  }),
  'resources/list': () => ({
    resources: [
      { uri: `memo://${own}`, name: own, size: 3 },
      { uri: 'memo://shared', name: 'shared' },
    ],
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: `memo://${own}/{path}`, name: 'part' }],
  }),
  'resources/read': ({ uri }) => {
    if (uri.endsWith('/missing'))
      throw { code: -32_002, message: 'Resource not found', data: { uri } }
    return { contents: [{ uri, text: `${own} has ${uri}`, _meta: { a: 1 } }], extra: true }
  },
  'resources/subscribe': ({ uri }) => {
    if (refusing && existsSync(refusing)) {
      log(`refuses ${uri}`)
      throw { code: -32_000, message: 'Not today', data: { a: 1 } }
    }
    log(`watches ${uri}`)
    return {}
  },
  'resources/unsubscribe': ({ uri }) => {
    log(`leaves ${uri}`)
    return {}
  },
  'prompts/list': () => ({ prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] }),
  'prompts/get': ({ name, arguments: { who } = {} }) => ({
    description: `${own} ${name}`,
    messages: [{ role: 'user', content: { type: 'text', text: `Hello ${who}` } }],
  }),
  'completion/complete': ({ ref, argument }) => ({
    completion: { values: [`${own} ${ref.name ?? ref.uri} ${argument.value}`], hasMore: false },
  }),
  'logging/setLevel': ({ level }) => {
    log(`level ${level}`)
    return {}
  },
}

async function answer({ id, method, params = {} }) {
  try {
    const tool = method === 'tools/call' ? TOOLS[params.name] : undefined
    const work = tool
      ? () => tool(params.arguments ?? {}, { meta: params._meta, id })
      : ANSWERS[method]
    if (!work) throw { code: -32_601, message: 'Method not found' }
    const result = await work(params)
    if (result !== undefined) say({ id, result })
  } catch (error) {
    say({ id, error })
  }
}

serveTools([], {
  takesOver: (message) => {
    const { id, method, params } = message
    if (method === undefined) waiting.get(id)?.(message.result ?? message.error)
    else if (id !== undefined) void answer(message)
    else if (method === 'notifications/cancelled')
      log(`cancelled ${running.delete(params.requestId)}`)
    return true
  },
})
