// Asks its client back, in the protocol mode that its first argument names: "sessions" by requests of its own, "stateless" by results that
// want more. Its tools:
// ask       asks what `requests` holds ({method, params} each), and tells the replies, or the errors, in their order
// answer    asks them too, and answers without waiting
// idle      asks them when the call is answered already
// pages     is rejected until as many pages as `elicitations` names were asked for; `done`: says automatically that they are
// loops     wants more for ever                       state     wants nothing but to be called again
// untyped   answers without saying of which type      quiet     is never answered
// It says on stderr what it was offered, each notification, and what was rejected.
import { say, serveTools } from './mcp-server.mjs'

const [, , protocolMode = 'sessions'] = process.argv
const NEWER = '2026-07-28'
const tools = ['ask', 'answer', 'idle', 'pages', 'loops', 'state', 'untyped', 'quiet'].map(
  (name) => ({ name }),
)
const waiting = new Map()
let asked = 0
let refused = 0

const log = (text) => process.stderr.write(`${text}\n`)
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })

function ask({ method, params }) {
  const id = `back-${asked++}`
  const reply = new Promise((resolve) => waiting.set(id, resolve))
  say({ id, method, params })
  return reply
}

async function call(id, name, { requests = [], elicitations = [], done = false }) {
  if (name === 'quiet') return
  // In one write, as a server that is quick does.
  process.stdout.cork()
  if (name === 'idle') say({ id, result: text('soon') })
  const replies = requests.map(ask)
  process.stdout.uncork()
  if (name === 'answer') say({ id, result: text('without waiting') })
  if (name === 'ask') say({ id, result: text(await Promise.all(replies)) })
  if (name === 'idle') log(`replies ${JSON.stringify(await Promise.all(replies))}`)
  if (name !== 'pages') return
  if (refused++ > 0) return say({ id, result: text('opened') })
  say({ id, error: { code: -32042, message: 'Pages first', data: { elicitations } } })
  if (done)
    for (const { elicitationId } of [{ elicitationId: 'unknown' }, ...elicitations])
      setTimeout(say, 300, {
        method: 'notifications/elicitation/complete',
        params: { elicitationId },
      })
}

function sessions(message) {
  const { id, method, params, result, error } = message
  if (method === 'initialize') log(`offered ${JSON.stringify(params.capabilities)}`)
  if (method === undefined) {
    if (error) log(`refused ${id}`)
    waiting.get(id)?.(error ? { error } : { result })
    waiting.delete(id)
  } else if (id === undefined) log(method)
  else if (method === 'tools/call') void call(id, params.name, params.arguments ?? {})
  else return false
  return true
}

function wants(name, { requests = [] }, { inputResponses, requestState }) {
  const inputRequests = Object.fromEntries(requests.map((one, at) => [`key-${at}`, one]))
  if (name === 'state') return requestState === undefined ? { requestState: 'only' } : undefined
  if (name === 'loops' || inputResponses === undefined)
    return { inputRequests, ...(name === 'loops' && { requestState: String(asked++) }) }
  return undefined
}

function stateless({ id, method, params }) {
  const answer = (result) => say({ id, result: { resultType: 'complete', ...result } })
  const cache = { ttlMs: 0, cacheScope: 'private' }
  if (id === undefined) log(method)
  else if (method === 'server/discover') {
    log(`offered ${JSON.stringify(params._meta['io.modelcontextprotocol/clientCapabilities'])}`)
    answer({ ...cache, supportedVersions: [NEWER], capabilities: { tools: {} } })
  } else if (method === 'tools/list')
    answer({ ...cache, tools: tools.map((one) => ({ ...one, inputSchema: { type: 'object' } })) })
  else if (method !== 'tools/call')
    say({ id, error: { code: -32601, message: 'Method not found' } })
  else if (params.name === 'untyped') say({ id, result: text('whole') })
  else if (params.name !== 'quiet') {
    const { name, arguments: args = {}, inputResponses, requestState } = params
    const round = { inputResponses, requestState }
    const wanted = wants(name, args, round)
    if (wanted) say({ id, result: { resultType: 'input_required', ...wanted } })
    else answer(text({ ...round, id }))
  }
  return true
}

serveTools(tools, { takesOver: protocolMode === 'stateless' ? stateless : sessions })
