// Works if it is the first to create the file argv[2]; every further process never responds.
import { writeFileSync } from 'node:fs'

import { serveTools } from './mcp-server.mjs'

const [, , file] = process.argv
let isFirst = true
try {
  writeFileSync(file, '', { flag: 'wx' })
} catch {
  isFirst = false // it is there
}
serveTools([{ name: 'echo', call: (args) => args }], { takesOver: () => !isFirst })
