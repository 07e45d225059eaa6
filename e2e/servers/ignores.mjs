// Works, and ignores the end of stdin; with argv[2] "term" also SIGTERM, so that only SIGKILL ends it.
import { serveTools } from './mcp-server.mjs'

if (process.argv[2] === 'term')
  process.on('SIGTERM', () => process.stderr.write('SIGTERM ignored\n'))
serveTools([{ name: 'stay', call: () => null }], { outlivesInput: true })
setInterval(() => {}, 1_000)
