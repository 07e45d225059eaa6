// Sends its response to the method argv[2] at a byte a second; after a cancellation it sends the rest at once.
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
