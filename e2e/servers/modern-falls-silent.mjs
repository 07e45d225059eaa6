// A stateless server (2026-07-28) over stdio that writes each request to stderr, and responds to nothing after a call of its tool
// "hush".
import { createInterface } from 'node:readline'

import { say } from './mcp-server.mjs'

const held = { resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' }
const results = {
  'server/discover': {
    ...held,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'hushes', version: '1.0.0' } },
  },
  'tools/list': { ...held, tools: [{ name: 'hush', inputSchema: { type: 'object' } }] },
  'tools/call': { resultType: 'complete', content: [{ type: 'text', text: 'Not a word' }] },
}
let isSilent = false

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  process.stderr.write(`asked ${method}\n`)
  if (id === undefined || isSilent) return
  isSilent = method === 'tools/call'
  const result = results[method]
  say(result ? { id, result } : { id, error: { code: -32601, message: `Not found: ${method}` } })
})
