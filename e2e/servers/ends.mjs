// Exits as argv[3] says (an exit code, or the name of a signal that it sends itself): "before" it responds to the handshake, while
// "listing" its tools, or "later", right after it responded to a call.
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
