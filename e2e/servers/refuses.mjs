// Responds to the handshake with an error, and keeps running.
import { createInterface } from 'node:readline'

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line)
  const error = { code: -32603, message: 'No licence for this machine' }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`)
})
