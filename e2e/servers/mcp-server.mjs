// A real MCP server over stdio in a few lines without any library, so that the bytes on the wire are exactly its own. Tools are {name,
// description?, call(args)}.
import { createInterface } from 'node:readline'

/** Writes one message. */
export function say(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/**
 * Answers initialize, ping, tools/list and tools/call until stdin ends. A message that `takesOver` says
 * yes to is left to it; with `outlivesInput` the end of stdin ends nothing.
 */
export function serveTools(tools, { onRequest, takesOver, outlivesInput = false } = {}) {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', (line) => {
    const request = JSON.parse(line)
    onRequest?.(request)
    if (takesOver?.(request) || request.id === undefined) return
    say({ id: request.id, ...respond(tools, request) })
  })
  lines.on('close', () => outlivesInput || process.exit(0))
}

/** The answer to one request, without its id. */
export function respond(tools, { method, params }) {
  if (method === 'initialize') {
    const capabilities = { tools: {} }
    const serverInfo = { name: 'fixture', version: '1.0.0' }
    return { result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } }
  }
  if (method === 'ping') return { result: {} }
  if (method === 'tools/list') return { result: { tools: tools.map(describe) } }
  if (method === 'tools/call') {
    const tool = tools.find(({ name }) => name === params.name)
    const text = JSON.stringify(tool?.call(params.arguments ?? {}) ?? null)
    return { result: { content: [{ type: 'text', text }] } }
  }
  return { error: { code: -32601, message: `Method not found: ${method}` } }
}

function describe({ name, description = `The tool ${name}` }) {
  return { name, description, inputSchema: { type: 'object' } }
}
