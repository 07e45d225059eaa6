// A server to try things on. Its tools:
// give      answers with the object that its argument `result` is           number    the same, for a number by its output schema
// hostile   the same, with an output schema whose pattern takes for ever    endless   the same, with one that refers to itself
// reject    is rejected with its argument `error`                            tells     tells its key in every way that there is
// steps     reports `times` times together, then answers                     quiet     is never answered
// die       ends it                                                         ask       asks the user for a name
// "completes" as an argument has it complete arguments: "unknown" not, "garbled" in a wrong shape, "quiet" never.
import { respond, say, serveTools } from './mcp-server.mjs'

const { API_KEY = '' } = process.env
const completes = process.argv.includes('completes')
const text = (value) => ({ content: [{ type: 'text', text: value }] })
const outputOf = (schema) => ({ outputSchema: { type: 'object', ...schema } })
const n = { n: { type: 'number' } }
const SCHEMAS = {
  number: outputOf({ properties: n, required: ['n'], additionalProperties: false }),
  hostile: outputOf({ properties: { text: { type: 'string', pattern: '^(a+)+$' } } }),
  endless: outputOf({ properties: { next: { $ref: '#' } } }),
}
const give = ({ result }) => result

function report(times, { progressToken }) {
  for (let progress = 1; progress <= times; progress += 1)
    say({
      method: 'notifications/progress',
      params: { progressToken, progress, total: times, message: `step ${progress} ${API_KEY}` },
    })
}

const TOOLS = {
  ...{ give, number: give, hostile: give, endless: give },
  refuse: ({ error }) => {
    throw error
  },
  tells: ({ how }) => {
    const value = { key: API_KEY, [API_KEY]: 1, inside: JSON.stringify({ key: API_KEY }) }
    if (how === 'refused') throw { code: 7, message: `Not with ${API_KEY}`, data: value }
    return { ...text(`It is ${API_KEY}.`), structuredContent: value, isError: how === 'failed' }
  },
  steps: ({ times }, meta) => {
    report(times, meta)
    return text('done')
  },
  die: () => {
    process.stderr.write('the last words\n')
    process.exit(7)
  },
}

function toolOf(name) {
  if (TOOLS[name]) return TOOLS[name]
  throw { code: -32_602, message: `Unknown tool: ${name}` }
}

function complete({ argument: { value } }) {
  if (value === 'unknown') throw { code: -32_601, message: 'Method not found' }
  if (value === 'garbled') return { completion: 7 }
  return {
    completion: { values: [`${value}1`, `${value}2`, API_KEY || '-'], total: 9, hasMore: true },
  }
}

function answer(id, work) {
  try {
    say({ id, result: work() })
  } catch (error) {
    say({ id, error })
  }
}

function ask(id) {
  const properties = { name: { type: 'string' } }
  const requestedSchema = { type: 'object', properties }
  say({ id, method: 'elicitation/create', params: { message: 'Who?', requestedSchema } })
}

const tools = [...Object.keys(TOOLS), 'quiet', 'ask']

function takesOver({ id, method, params, result }) {
  if (method === 'initialize') {
    const { result: own } = respond([], { method, params })
    const capabilities = { tools: {}, ...(completes && { completions: {} }) }
    say({ id, result: { ...own, capabilities } })
  } else if (method === 'tools/list') {
    const list = tools.map((name) => ({ name, inputSchema: { type: 'object' }, ...SCHEMAS[name] }))
    say({ id, result: { tools: list } })
  } else if (method === 'notifications/cancelled') {
    process.stderr.write(`cancelled ${params.requestId}\n`)
  } else if (method === 'completion/complete') {
    process.stderr.write(`completes ${params.argument.value}\n`)
    if (params.argument.value !== 'quiet') answer(id, () => complete(params))
  } else if (method === 'tools/call') {
    if (params.name === 'quiet') process.stderr.write(`waits ${id}\n`)
    else if (params.name === 'ask') ask(`ask-${id}`)
    else answer(id, () => toolOf(params.name)(params.arguments ?? {}, params._meta ?? {}))
  } else if (method === undefined) {
    say({ id: Number(String(id).slice(4)), result: text(JSON.stringify(result)) })
  } else return false
  return true
}

serveTools([], { takesOver })
