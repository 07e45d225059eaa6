// A stateless server (2026-07-28) over stdio that lists one valid tool and two invalid ones. The tool "odd" returns an unknown kind of
// content.
import { createInterface } from 'node:readline'

import { say } from './mcp-server.mjs'

const held = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
const results = {
  'server/discover': {
    ...held,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'broken', version: '1.0.0' } },
  },
  'tools/list': {
    ...held,
    tools: [
      { name: 5 },
      { name: 'odd', inputSchema: { type: 'object' } },
      { description: 'without a name' },
    ],
  },
  'tools/call': { resultType: 'complete', content: [{ type: 'smell', strength: 3 }] },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id === undefined) return
  const result = results[method]
  say(result ? { id, result } : { id, error: { code: -32601, message: `Not found: ${method}` } })
})
