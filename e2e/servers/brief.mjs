// Exits with code 7, argv[2] ms after its tools were listed; keeps running while the file argv[3] exists.
import { existsSync } from 'node:fs'

import { serveTools } from './mcp-server.mjs'

const [, , life, repaired] = process.argv

serveTools([{ name: 'echo', call: (args) => args }], {
  onRequest: ({ method }) => {
    if (method !== 'tools/list' || (repaired !== undefined && existsSync(repaired))) return
    setTimeout(() => {
      process.stderr.write('Out of breath\n')
      process.exit(7)
    }, Number(life))
  },
})
