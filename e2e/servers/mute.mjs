// Closes its stdout and keeps running: immediately, or after its first listing if argv[2] is "later".
import { closeSync } from 'node:fs'

import { serveTools } from './mcp-server.mjs'

const closeOutput = () => closeSync(1)
if (process.argv[2] === 'later') {
  serveTools([{ name: 'whisper', call: () => null }], {
    onRequest: ({ method }) => method === 'tools/list' && setTimeout(closeOutput, 300),
  })
} else {
  process.stderr.write('Not a word from me\n')
  closeOutput()
}
setInterval(() => {}, 1_000)
