// Sends five requests to its client and waits for every response before it continues: with argv[2] "first" before it responds to the
// handshake, else during a tool call. Reports each response.
import { say, serveTools } from './mcp-server.mjs'

const METHODS = ['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create', 'made/up']
const when = process.argv[2] === 'first' ? 'initialize' : 'tools/call'
let replies = {}
let waiting
let stray = 0

function ask(request) {
  waiting = request
  replies = {}
  // No one may answer this one.
  say({ method: 'notifications/made_up' })
  for (const method of METHODS) say({ id: `q:${method}`, method, params: {} })
}

function hear({ id, error }) {
  const method = String(id).replace(/^q:/u, '')
  if (METHODS.includes(method)) replies[method] = error?.code ?? 'answered'
  else stray += 1
  if (Object.keys(replies).length < METHODS.length) return
  process.stderr.write(`replies ${JSON.stringify(replies)} stray ${stray}\n`)
  const text = JSON.stringify({ ...replies, stray })
  const serverInfo = { name: 'asks', version: '1' }
  const { protocolVersion } = waiting.params
  const result =
    when === 'initialize'
      ? { protocolVersion, capabilities: { tools: {} }, serverInfo }
      : { content: [{ type: 'text', text }] }
  say({ id: waiting.id, result })
}

serveTools([{ name: 'ask' }], {
  takesOver: (message) => {
    if (message.method === undefined) hear(message)
    else if (message.method === when) ask(message)
    else return false
    return true
  },
})
