// Many MCP servers in one process, over local HTTP: `/0/mcp`, `/1/mcp`, … list their tools from the file argv[2] ([[tool, …], …]) and
// answer each call with its arguments. Prints its port as the first line.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

import { respond } from '../../e2e/servers/mcp-server.mjs'

const lists = JSON.parse(readFileSync(process.argv[2], 'utf8'))

function answer(tools, { id, method, params }) {
  if (method === 'tools/list') return { id, result: { tools } }
  if (method !== 'tools/call') return { id, ...respond([], { method, params }) }
  const text = JSON.stringify(params.arguments ?? {})
  return { id, result: { content: [{ type: 'text', text }] } }
}

const server = createServer((request, response) => {
  const tools = lists[Number(request.url.split('/')[1])] ?? []
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(Buffer.concat(chunks).toString())
    if (message.id === undefined) return response.writeHead(202).end()
    const text = JSON.stringify({ jsonrpc: '2.0', ...answer(tools, message) })
    return response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
