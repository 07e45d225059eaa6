// Answers the method of argv[2] with a byte a second; once it hears that its caller has given up, with the
// rest in one go.
import { serveTools } from './mcp-server.mjs'

const [, , slow] = process.argv
let rest = ''
const dribble = () => {
  process.stdout.write(rest.slice(0, 1))
  rest = rest.slice(1)
}

serveTools([{ name: 'drip', call: () => null }], {
  takesOver: ({ id, method, params }) => {
    if (method === 'notifications/cancelled') {
      process.stdout.write(rest)
      rest = ''
    }
    if (method !== slow || params.name === 'well') return false
    rest = `${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n`
    setInterval(dribble, 1_000)
    return true
  },
})
