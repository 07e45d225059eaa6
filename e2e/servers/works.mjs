// Tools that take time: "slow" responds after `ms`; with `every` it reports progress in between, without an end if `ms` is missing. It
// reports cancellations and progress tokens on stderr, and "late" responds only after a cancellation. "fail" is rejected with the server's
// own message.
import { say, serveTools } from './mcp-server.mjs'

const NAMES = ['slow', 'late', 'fail']
let late

function work({ id, params }) {
  const { ms, every } = params.arguments ?? {}
  const progressToken = params._meta?.progressToken
  let progress = 0
  const report = () => {
    progress += 1
    say({ method: 'notifications/progress', params: { progressToken, progress } })
  }
  const reporting = every === undefined ? undefined : setInterval(report, every)
  if (ms === undefined) return
  setTimeout(() => {
    clearInterval(reporting)
    say({ id, result: { content: [], worked: ms } })
  }, ms)
}

serveTools(
  NAMES.map((name) => ({ name, call: () => null })),
  {
    takesOver: (request) => {
      const { id, method, params } = request
      if (method === 'notifications/cancelled') {
        process.stderr.write(`cancelled ${params.requestId === late?.id ? 'late' : 'slow'}\n`)
        if (late) say({ id: late.id, result: { content: [] } })
        return true
      }
      if (method !== 'tools/call') return false
      if (params.name === 'late') late = request
      if (params.name === 'slow') work(request)
      if (params.name === 'fail')
        say({ id, error: { code: -32_002, message: 'No such thing', data: { thing: 1 } } })
      return true
    },
  },
)
