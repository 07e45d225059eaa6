// Works until its tool is called, then closes its pipes without a response, and exits with code 3 on SIGUSR2.
import { closeSync } from 'node:fs'

import { serveTools } from './mcp-server.mjs'

serveTools([{ name: 'turn_away' }], {
  outlivesInput: true,
  takesOver: ({ method }) => {
    if (method !== 'tools/call') return false
    process.stdin.destroy()
    closeSync(0)
    closeSync(1)
    return true
  },
})
process.once('SIGUSR2', () => process.exit(3))
setInterval(() => {}, 1_000)
