// Works, says one line on stderr, and tells its argv there as JSON.
import { serveTools } from './mcp-server.mjs'

process.stderr.write('Fixture server is up\n')
process.stderr.write(`argv ${JSON.stringify(process.argv.slice(2))}\n`)
serveTools([{ name: 'echo', call: (args) => args }])
