// Writes argv[2] MB to stderr before it reads its first request, respecting backpressure.
import { once } from 'node:events'

import { serveTools } from './mcp-server.mjs'

const line = `${'flood '.repeat(170)}\n`
const block = line.repeat(64)
const blocks = Math.ceil((Number(process.argv[2]) * 1024 * 1024) / block.length)
for (let written = 0; written < blocks; written += 1) {
  if (!process.stderr.write(block)) await once(process.stderr, 'drain')
}
serveTools([{ name: 'dry', call: () => 'dry again' }])
