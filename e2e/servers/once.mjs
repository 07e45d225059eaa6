// Works when it is the first to make the file of argv[2]; every further one never says a word.
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
