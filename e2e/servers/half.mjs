// Writes half of its response to the method argv[2], then exits with code 0.
import { serveTools } from './mcp-server.mjs'

const [, , method] = process.argv
serveTools([{ name: 'say', call: () => null }], {
  takesOver: (request) => {
    if (request.method !== method) return false
    process.stdout.write(`{"jsonrpc":"2.0","id":${request.id},"result":{"content":[{"type":"te`)
    process.exit(0)
  },
})
