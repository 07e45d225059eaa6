// Writes a numbered line to stderr every 20 ms, and works.
import { serveTools } from './mcp-server.mjs'

let count = 0
setInterval(() => process.stderr.write(`line ${(count += 1)}\n`), 20)
serveTools([{ name: 'say', call: () => count }])
