// Reports changed tools while they are being listed: the first listing after that returns the old tool late, the next one the new tool
// immediately.
import { createInterface } from 'node:readline'

const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const changed = () => say({ method: 'notifications/tools/list_changed' })
const list = (id, name) =>
  say({ id, result: { tools: [{ name, inputSchema: { type: 'object' } }] } })
let listings = 0

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') {
      const capabilities = { tools: { listChanged: true } }
      const serverInfo = { name: 'changes', version: '1' }
      say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } })
    } else if (method === 'tools/list') {
      listings += 1
      if (listings === 1) setTimeout(changed, 100)
      if (listings === 2) setTimeout(changed, 100)
      if (listings === 2) setTimeout(list, 1_000, id, 'old')
      else list(id, listings === 1 ? 'first' : 'new')
    } else if (id !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } })
  })
  .on('close', () => process.exit(0))
