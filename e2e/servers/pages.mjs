// Lists one tool per page without an end; with argv[2] "circle" the third page leads back to the second. Counts its listings on stderr.
import { createInterface } from 'node:readline'

const isCircle = process.argv[2] === 'circle'
let listings = 0

function respond({ method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'pages', version: '1' }
    return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }
  }
  if (method !== 'tools/list') return {}
  listings += 1
  process.stderr.write(`listing ${listings}\n`)
  const page = Number(params.cursor ?? 0)
  const next = isCircle && page === 2 ? 1 : page + 1
  const tools = [{ name: `tool_${page}`, inputSchema: { type: 'object' } }]
  return { tools, nextCursor: String(next) }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const request = JSON.parse(line)
    if (request.id === undefined) return
    const answer = { jsonrpc: '2.0', id: request.id, result: respond(request) }
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  })
  .on('close', () => process.exit(0))
