// Holds a page like a browser, and uses no library. Its tools: `go` sets the page to `to`, `where` returns the page and the process,
// `folders` requests the roots of its client, `wait` never responds. The resource page://now is the page; `go` notifies its subscribers and
// sends a log message. `--differs NAME FILE`: describes that tool differently in every process except the first, which writes FILE.
import { existsSync, writeFileSync } from 'node:fs'

import { say, serveTools } from './mcp-server.mjs'

const [, , option, name, file] = process.argv
const isFirst = option !== '--differs' || !existsSync(file)
if (option === '--differs' && isFirst) writeFileSync(file, String(process.pid))

let page = 'about:blank'
let asked = 0
let isWatched = false
const waiting = new Map()
const result = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] })
const tools = ['go', 'where', 'folders', 'wait'].map((one) => ({
  name: one,
  ...(one === name && !isFirst && { description: 'Something else' }),
}))

function call({ id, params: { name: tool, arguments: args = {} } }) {
  if (tool === 'wait') return
  if (tool === 'folders') {
    asked += 1
    const request = `roots-${asked}`
    waiting.set(request, (reply) => say({ id, result: result(reply) }))
    say({ id: request, method: 'roots/list' })
    return
  }
  if (tool === 'go') {
    page = args.to
    process.stderr.write(`went to ${page}\n`)
    say({ method: 'notifications/message', params: { level: 'error', data: `at ${page}` } })
    if (isWatched) say({ method: 'notifications/resources/updated', params: { uri: 'page://now' } })
  }
  say({ id, result: result({ page, pid: process.pid }) })
}

serveTools(tools, {
  takesOver(message) {
    const { id, method, params } = message
    if (method === 'initialize') {
      const capabilities = { tools: {}, logging: {}, resources: { subscribe: true } }
      const serverInfo = { name: 'page', version: '1' }
      say({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } })
    } else if (method === 'tools/call') call(message)
    else if (method === 'resources/list')
      say({ id, result: { resources: [{ uri: 'page://now', name: 'now' }] } })
    else if (method === 'resources/templates/list') say({ id, result: { resourceTemplates: [] } })
    else if (method === 'resources/read')
      say({ id, result: { contents: [{ uri: params.uri, text: page }] } })
    else if (method === 'resources/subscribe') {
      isWatched = true
      say({ id, result: {} })
    } else if (method === 'logging/setLevel') say({ id, result: {} })
    else if (method === 'notifications/roots/list_changed') process.stderr.write('other folders\n')
    else if (method === undefined && waiting.has(id)) {
      waiting.get(id)(message.result ?? message.error)
      waiting.delete(id)
    } else return false
    return true
  },
})
