// Completes the handshake immediately, but its first two listings fail.
import { createInterface } from 'node:readline'

let listings = 0
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize') {
      const serverInfo = { name: 'late', version: '1' }
      const { protocolVersion } = params
      say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } })
    } else if (method === 'tools/list' && ++listings < 3) {
      say({ id, error: { code: -32603, message: 'not warm yet' } })
    } else if (method === 'tools/list') {
      say({ id, result: { tools: [{ name: 'warm', inputSchema: { type: 'object' } }] } })
    } else if (id !== undefined) say({ id, error: { code: -32601, message: 'Method not found' } })
  })
  .on('close', () => process.exit(0))
