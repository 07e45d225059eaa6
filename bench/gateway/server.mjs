// The server behind each gateway: MCP over stdio, fast and without a library. With the argument "thousand" it has 1,000 tools, else three:
// "small" answers 100 bytes, "large" the requested number of MB, "take" the length of its text.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , mode = 'three'] = process.argv
const MEGABYTE = 1024 * 1024
const NO_SUCH_METHOD = -32_601
const SMALL =
  'Sunny with a light wind from the west, 21 degrees; rain is expected towards the evening hours. '
const results = new Map()

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => take(JSON.parse(line)))
lines.on('close', () => process.exit(0))

function take({ id, method, params }) {
  if (id === undefined) return
  const answer = answerOf(method, params)
  const begin = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${answer.key}":`)
  const parts = [begin, answer.value, Buffer.from('}\n')]
  // A small answer in one piece; a large one isn't copied.
  if (answer.value.length < MEGABYTE) writeAll(Buffer.concat(parts))
  else for (const part of parts) writeAll(part)
}

function answerOf(method, params) {
  if (method === 'initialize') return result(greeting(params))
  if (method === 'ping') return result({})
  if (method === 'tools/list') return result({ tools: mode === 'thousand' ? thousand() : three() })
  if (method === 'tools/call') return call(params)
  const error = { code: NO_SUCH_METHOD, message: `Method not found: ${method}` }
  return { key: 'error', value: encode(error) }
}

/** The result as JSON, created once per size, so that only the way to the client takes time. */
function call({ name, arguments: args }) {
  if (name === 'take')
    return result({ content: [{ type: 'text', text: String(args.text.length) }] })
  const megabytes = args.megabytes ?? 0
  if (!results.has(megabytes)) results.set(megabytes, result(content(megabytes)))
  return results.get(megabytes)
}

function result(value) {
  return { key: 'result', value: encode(value) }
}

function greeting({ protocolVersion }) {
  const serverInfo = { name: 'bench', version: '1.0.0' }
  return { protocolVersion, capabilities: { tools: {} }, serverInfo }
}

function three() {
  const megabytes = { type: 'number', minimum: 0 }
  return [
    tool('small', {}, []),
    tool('large', { megabytes }, ['megabytes']),
    tool('take', { text: { type: 'string' } }, ['text']),
  ]
}

function tool(name, properties, required) {
  const inputSchema = { type: 'object', properties, required }
  return { name, description: `The tool ${name} of the benches`, inputSchema }
}

/** Typical tools: a sentence, and three parameters with a sentence each. */
function thousand() {
  const text = { type: 'string', description: 'Text that it looks for; every word must be there' }
  const count = { type: 'integer', minimum: 1, maximum: 100, description: 'Most results' }
  const order = { type: 'string', enum: ['newest', 'oldest', 'best'], default: 'best' }
  return Array.from({ length: 1_000 }, (_, index) => ({
    name: `search_part_${index}`,
    title: `Search part ${index}`,
    description: `Searches part ${index} of the archive for documents and returns what it finds, with a link to each.`,
    inputSchema: { type: 'object', properties: { text, count, order }, required: ['text'] },
    annotations: { readOnlyHint: true },
  }))
}

/** A text of this many MB with lines, tabs and some quotes; 100 bytes for none. */
function content(megabytes) {
  const paragraph = `${SMALL}\n\tHe said: "stay in."\n${SMALL.repeat(3)}\n`
  const bytes = megabytes * MEGABYTE
  const count = Math.ceil(bytes / (JSON.stringify(paragraph).length - 2))
  return { content: [{ type: 'text', text: megabytes === 0 ? SMALL : paragraph.repeat(count) }] }
}

function encode(value) {
  return Buffer.from(JSON.stringify(value))
}

/** Writes to the pipe and waits for its reader: a stream would buffer everything in memory first. */
function writeAll(bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(0)
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
