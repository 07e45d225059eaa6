// Ends in the way of argv[3] (an exit code, or the name of a signal that it sends itself): "before" it answers
// the handshake, while "listing" its tools, or "later", right after its tool was called and has answered.
import { serveTools } from './mcp-server.mjs'

const [, , when, how] = process.argv
const end = () =>
  how.startsWith('SIG') ? process.kill(process.pid, how) : process.exit(Number(how))
const fatal = { before: 'initialize', listing: 'tools/list' }[when]

serveTools([{ name: 'end', call: () => 'Good-bye' }], {
  takesOver: ({ method }) => {
    if (method === 'tools/call') setImmediate(end)
    if (method !== fatal) return false
    process.stderr.write(`Ends by ${how}\n`)
    end()
    return true
  },
})
