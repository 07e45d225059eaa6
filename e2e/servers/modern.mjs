// A stateless server (2026-07-28) over stdio, based on the SDK's own server; with sessions too, unless its argument is "only". Its tool
// "pid" returns its process id. It starts after the milliseconds of its second argument.
import { setTimeout as delay } from 'node:timers/promises'

import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

await delay(Number(process.argv[3] ?? 0))
const legacy = process.argv[2] === 'only' ? 'reject' : 'serve'

serveStdio(
  () => {
    const server = new McpServer(
      { name: 'modern', version: '2.0.0' },
      { capabilities: { tools: {} } },
    )
    const inputSchema = fromJsonSchema({ type: 'object', properties: {} })
    server.registerTool('pid', { description: 'Tells its pid', inputSchema }, () => ({
      content: [{ type: 'text', text: String(process.pid) }],
    }))
    return server
  },
  { legacy },
)
