// Offers the tools in the JSON file argv[2], {name, description?, inputSchema?, annotations?} each, and reports a change when the file
// changes.
import { readFileSync, watchFile } from 'node:fs'

import { say, serveTools } from './mcp-server.mjs'

const file = process.argv[2]
const read = () => JSON.parse(readFileSync(file, 'utf8'))
const list = () => read().map((tool) => ({ inputSchema: { type: 'object' }, ...tool }))

watchFile(file, { interval: 100 }, () => say({ method: 'notifications/tools/list_changed' }))
serveTools([], {
  takesOver: ({ id, method, params }) => {
    if (method === 'initialize') {
      const capabilities = { tools: { listChanged: true } }
      const serverInfo = { name: 'changing', version: '1.0.0' }
      say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } })
    } else if (method === 'tools/list') say({ id, result: { tools: list() } })
    else if (method === 'tools/call') say({ id, result: { content: [] } })
    else return false
    return true
  },
})
