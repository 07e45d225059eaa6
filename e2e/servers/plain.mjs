// Works, and writes one line, its folder and its argv (as JSON) to stderr.
import { serveTools } from './mcp-server.mjs'

process.stderr.write('Fixture server is up\n')
process.stderr.write(`folder ${process.cwd()}\n`)
process.stderr.write(`argv ${JSON.stringify(process.argv.slice(2))}\n`)
serveTools([{ name: 'echo', call: (args) => args }])
