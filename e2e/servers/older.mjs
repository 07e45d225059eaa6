// A server of the era before 2026-07-28 that takes the question for its era as its argument says: "silent" leaves every
// unknown method unanswered; "null" answers with an id of null; "dies" ends; "late" answers once it was initialized;
// "refuses" answers as JSON-RPC wants. It says each method on stderr.
import { say, serveTools } from './mcp-server.mjs'

const [, , kind = 'refuses'] = process.argv
const notFound = { code: -32601, message: 'Method not found' }
let asked

serveTools([{ name: 'echo', call: (args) => args }], {
  onRequest: ({ id, method }) => {
    process.stderr.write(`${method}\n`)
    if (method === 'notifications/initialized' && asked !== undefined)
      say({ id: asked, error: notFound })
    if (method === 'server/discover') asked = kind === 'late' ? id : undefined
  },
  takesOver: ({ method }) => {
    if (method !== 'server/discover') return false
    if (kind === 'null') say({ id: null, error: { code: -32600, message: 'Invalid request' } })
    if (kind === 'dies') process.exit(1)
    return kind !== 'refuses'
  },
})
