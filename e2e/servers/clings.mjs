// Ignores the end of stdin and SIGTERM, so that only SIGKILL ends it. Works, but never responds to the method argv[2]. Further arguments
// identify it among the processes.
import { serveTools } from './mcp-server.mjs'

process.on('SIGTERM', () => process.stderr.write('SIGTERM ignored\n'))
const [, , unanswered] = process.argv
serveTools([{ name: 'cling', call: () => null }], {
  outlivesInput: true,
  takesOver: ({ method }) => method === unanswered,
})
process.stderr.write('Clings\n')
setInterval(() => {}, 1_000)
