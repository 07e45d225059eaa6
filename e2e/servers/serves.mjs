// Serves MCP over HTTP at the port of its first argument, after the milliseconds of its second; writes its pid and that it listens to
// stdout. Its tools: "echo"; "exit" ends it; "forget" drops its sessions; "cut" breaks its response off in the middle; "cutExit" then exits
// a moment later. As the second argument, "ends" exits before it listens, with code 3; "dies" exits on the probe of its protocol version;
// "cuts" first accepts and closes connections for a while; "busy" first responds with 503 for a while; "stays" exits after both SIGTERM and
// the end of its session, and reports whether its client still waited for that.
import { createServer } from 'node:http'
import { createServer as createDoor } from 'node:net'

import { respond } from './mcp-server.mjs'

const [, , port, delay = '0'] = process.argv
const BEFORE_MS = 1_500
let hasForgotten = false
let isBusy = delay === 'busy'
let farewell
let isAskedToEnd = false

const tools = [
  { name: 'echo', call: (args) => args },
  { name: 'exit', call: () => process.exit(4) },
  { name: 'forget', call: () => (hasForgotten = true) },
  { name: 'cut', call: () => ({}) },
  { name: 'cutExit', call: () => ({}) },
]

/** Sends half of an answer. */
function sendHalf(response, text, { thenExits }) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
  if (thenExits) setTimeout(() => process.exit(4), 50)
}

function leave() {
  if (!isAskedToEnd || !farewell) return
  process.stdout.write(farewell.destroyed ? 'Nobody waits\n' : 'Both together\n')
  process.exit(0)
}

const server = createServer((request, response) => {
  if (delay === 'stays' && request.method === 'DELETE') {
    farewell = response
    leave()
    return
  }
  if (isBusy) {
    response.writeHead(503).end('Starting')
    return
  }
  if (request.method !== 'POST') {
    response.writeHead(405).end()
    return
  }
  let body = ''
  request.setEncoding('utf8').on('data', (text) => (body += text))
  request.on('end', () => {
    const message = JSON.parse(body)
    if (delay === 'dies' && message.method === 'server/discover') process.exit(1)
    if (hasForgotten && request.headers['mcp-session-id']) {
      response.writeHead(404).end()
      return
    }
    if (message.id === undefined) {
      response.writeHead(202).end()
      return
    }
    const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...respond(tools, message) })
    const name = message.params?.name
    if (name === 'cut' || name === 'cutExit') {
      sendHalf(response, answer, { thenExits: name === 'cutExit' })
      return
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' })
    response.end(answer)
  })
})

const listen = () =>
  server.listen(Number(port), '127.0.0.1', () => process.stdout.write('Listening\n'))

process.stdout.write(`pid ${process.pid}\n`)
if (delay === 'stays')
  process.on('SIGTERM', () => {
    isAskedToEnd = true
    leave()
  })
if (delay === 'ends') {
  process.stderr.write('No licence\n')
  process.exitCode = 3
} else if (delay === 'cuts') {
  const door = createDoor((socket) => socket.destroy()).listen(Number(port), '127.0.0.1')
  setTimeout(() => door.close(listen), BEFORE_MS)
} else {
  setTimeout(() => (isBusy = false), BEFORE_MS)
  setTimeout(listen, Number(delay) || 0)
}
