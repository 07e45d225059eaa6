// Works, but never responds to the method argv[2].
import { serveTools } from './mcp-server.mjs'

const [, , unanswered] = process.argv
process.stderr.write(`Never answers ${unanswered}\n`)
serveTools([], { takesOver: ({ method }) => method === unanswered })
