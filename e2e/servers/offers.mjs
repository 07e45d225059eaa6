// Offers what the JSON of the file argv[2] says: {"tools": [...], "resources": [...], "prompts": [...], "fails": ["tools"]} with names
// or whole elements, and "instructions". When the file changes it reports the changed lists. It writes each listing and call to stderr, and
// rejects the listings in "fails". A tool returns its name and arguments, a resource its name.
import { readFileSync, watchFile } from 'node:fs'

import { say, serveTools } from './mcp-server.mjs'

const [, , file] = process.argv
const KINDS = ['tools', 'resources', 'prompts']
const PLAIN = {
  tools: (name) => ({ name, inputSchema: { type: 'object' } }),
  resources: (name) => ({ name, uri: `memo://${name}` }),
  prompts: (name) => ({ name }),
}
let offered = read()

function read() {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function list(kind) {
  process.stderr.write(`listed ${kind}\n`)
  if (offered.fails?.includes(kind))
    return { error: { code: -32603, message: 'The shelf is locked' } }
  const elements = offered[kind] ?? []
  return {
    result: { [kind]: elements.map((one) => (typeof one === 'string' ? PLAIN[kind](one) : one)) },
  }
}

if (offered.quiet !== true) watchFile(file, { interval: 50 }, tellChanges)

function tellChanges() {
  const before = offered
  offered = read()
  for (const kind of KINDS)
    if (JSON.stringify(before[kind]) !== JSON.stringify(offered[kind]))
      say({ method: `notifications/${kind}/list_changed` })
}

serveTools([], {
  takesOver: ({ id, method, params }) => {
    if (method === 'initialize') {
      const capabilities = Object.fromEntries(KINDS.map((kind) => [kind, { listChanged: true }]))
      const serverInfo = { name: 'offers', version: '1' }
      const { protocolVersion } = params
      const { instructions } = offered
      say({ id, result: { protocolVersion, capabilities, serverInfo, instructions } })
      return true
    }
    const kind = KINDS.find((one) => method === `${one}/list`)
    const { name, arguments: args } = params ?? {}
    if (kind) say({ id, ...list(kind) })
    if (method === 'tools/call') {
      const text = JSON.stringify({ name, arguments: args })
      process.stderr.write(`called ${text}\n`)
      say({ id, result: { content: [{ type: 'text', text }] } })
    }
    if (method === 'resources/read') {
      const { uri } = params
      const text = offered.resources?.find((one) => one.uri === uri)?.name ?? 'not listed'
      say({ id, result: { contents: [{ uri, text }] } })
    }
    return kind !== undefined || ['tools/call', 'resources/read'].includes(method)
  },
})
