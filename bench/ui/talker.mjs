// Lists the tools of the file argv[2] over stdio; each call writes `lines` lines on stderr.
import { readFileSync } from 'node:fs'

import { say, serveTools } from '../../e2e/servers/mcp-server.mjs'

const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const LEVELS = ['INFO', 'DEBUG', 'WARN', 'ERROR']
let count = 0

function line() {
  count += 1
  const level = LEVELS[count % LEVELS.length]
  return `2026-01-01T00:00:00Z ${level} line ${count} of what a server says about its work`
}

serveTools([], {
  takesOver: ({ id, method, params }) => {
    if (method === 'tools/list') say({ id, result: { tools } })
    else if (method === 'tools/call') {
      const lines = Array.from({ length: params.arguments?.lines ?? 0 }, line)
      if (lines.length > 0) process.stderr.write(`${lines.join('\n')}\n`)
      say({ id, result: { content: [{ type: 'text', text: 'said' }] } })
    } else return false
    return true
  },
})
