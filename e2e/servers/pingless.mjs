// Works, but rejects a ping as an unknown method.
import { say, serveTools } from './mcp-server.mjs'

serveTools([{ name: 'echo', call: (args) => args }], {
  takesOver: ({ id, method }) => {
    if (method !== 'ping') return false
    say({ id, error: { code: -32_601, message: 'Method not found: ping' } })
    return true
  },
})
