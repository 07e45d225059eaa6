#!/usr/bin/env node
// Answers every request immediately, with no server behind it: the most calls that an agent can make. A yardstick, not a product.
// Usage: instant.mjs --port P
import http from 'node:http'

const port = process.argv[process.argv.indexOf('--port') + 1]
const content = [{ type: 'text', text: 'x'.repeat(100) }]
const serverInfo = { name: 'instant', version: '0' }

function resultOf({ method, params }) {
  if (method === 'initialize') {
    const { protocolVersion } = params
    return { protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method === 'tools/list')
    return { tools: [{ name: 'bench__small', inputSchema: { type: 'object' } }] }
  return { content }
}

http
  .createServer((request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString())
      if (message.id === undefined) return response.writeHead(202).end()
      const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })
      const length = Buffer.byteLength(body)
      const headers = { 'content-type': 'application/json', 'content-length': length }
      response.writeHead(200, headers).end(body)
    })
  })
  .listen(Number(port), '127.0.0.1')
