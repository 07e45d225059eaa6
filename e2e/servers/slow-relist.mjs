// Reports changed tools, and blocks its only thread for 4 s during the following listing.
import { createInterface } from 'node:readline'

import { say } from './mcp-server.mjs'

const BUSY_MS = 4_000
let listings = 0

function list(id) {
  listings += 1
  const end = performance.now() + (listings === 2 ? BUSY_MS : 0)
  while (performance.now() < end);
  say({ id, result: { tools: [{ name: `tool-${listings}`, inputSchema: { type: 'object' } }] } })
  if (listings === 1) setTimeout(say, 300, { method: 'notifications/tools/list_changed' })
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') {
      const capabilities = { tools: { listChanged: true } }
      const serverInfo = { name: 'slow-relist', version: '1' }
      say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } })
    } else if (method === 'tools/list') list(id)
    else if (method === 'ping') say({ id, result: {} })
    else if (id !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } })
  })
  .on('close', () => process.exit(0))
