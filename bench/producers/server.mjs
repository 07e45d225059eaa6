// The benches' server: a real MCP server over stdio that writes fast, without a library. With the argument "crashes" or "hangs" it exits,
// or answers nothing; else it works. The method "bench/flood" writes argv[3] MB to stderr before its answer.
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , mode = 'works', floodMegabytes = '0'] = process.argv
const MEGABYTE = 1024 * 1024
const SMALL =
  'Sunny with a light wind from the west, 21 degrees; rain is expected towards the evening hours. '
const results = new Map()

if (mode === 'crashes') process.exit(1)
const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => mode === 'works' && take(JSON.parse(line)))
lines.on('close', () => process.exit(0))

function take({ id, method, params }) {
  if (id === undefined) return
  const result = resultOf(method, params)
  const parts = [
    Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
    result,
    Buffer.from('}\n'),
  ]
  // A small answer in one piece; a large one isn't copied.
  if (result.length < MEGABYTE) writeAll(1, Buffer.concat(parts))
  else for (const part of parts) writeAll(1, part)
}

/** The result as JSON, created once per size, so that only the way to the client takes time. */
function resultOf(method, params) {
  if (method === 'initialize') return encode(greeting(params))
  if (method === 'tools/list') return encode({ tools: [tool('small'), tool('large')] })
  if (method === 'bench/flood') flood()
  if (method !== 'tools/call') return encode({})
  const { megabytes = 0 } = params.arguments
  if (!results.has(megabytes)) results.set(megabytes, encode(content(megabytes)))
  return results.get(megabytes)
}

function greeting({ protocolVersion }) {
  const serverInfo = { name: 'bench', version: '1.0.0' }
  return { protocolVersion, capabilities: { tools: {} }, serverInfo }
}

function tool(name) {
  return { name, description: `Answers with a ${name} text`, inputSchema: { type: 'object' } }
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

/** Lines of about 100 bytes in blocks of a megabyte, one in a thousand with a secret, then "flood over". */
function flood() {
  const secret = process.env.BENCH_SECRET ?? 'none'
  const line = (number) =>
    number % 1000 === 999
      ? `2026-01-01T00:00:00.000Z INFO request ${number} uses the token ${secret} of the account\n`
      : `2026-01-01T00:00:00.000Z INFO request ${number} was served from the cache in 0.42 ms, as before\n`
  let text = ''
  for (let number = 10_000_000; text.length < MEGABYTE; number += 1) text += line(number)
  const block = Buffer.from(text)
  for (let written = 0; written < Number(floodMegabytes); written += 1) writeAll(2, block)
  writeAll(2, Buffer.from('flood over\n'))
}

/** Writes to the pipe and waits for its reader: a stream would buffer everything in memory first. */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(0)
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}
