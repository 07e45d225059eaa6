// Works until its tool is called, then exits with code 7 without a response.
import { serveTools } from './mcp-server.mjs'

serveTools([{ name: 'die', call: () => null }], {
  onRequest: ({ method }) => {
    if (method !== 'tools/call') return
    process.stderr.write('About to die\n')
    process.exit(7)
  },
})
