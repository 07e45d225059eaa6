// Has one tool that requires an argument as a header when called over HTTP (MCP 2026-07-28, custom headers).
import { say, serveTools } from './mcp-server.mjs'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const inputSchema = { type: 'object', properties: { region } }

serveTools([{ name: 'where', call: ({ region: where }) => where }], {
  takesOver: ({ id, method }) => {
    if (method !== 'tools/list') return false
    say({ id, result: { tools: [{ name: 'where', inputSchema }] } })
    return true
  },
})
