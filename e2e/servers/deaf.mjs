// Closes its stdin after it received the handshake, responds to it, and keeps running.
import { closeSync, readSync, writeSync } from 'node:fs'

const buffer = Buffer.alloc(65_536)
const { id, params } = JSON.parse(buffer.toString('utf8', 0, readSync(0, buffer)))
closeSync(0)
process.stderr.write('Not listening any more\n')
const { protocolVersion } = params
const serverInfo = { name: 'deaf', version: '1' }
const result = { protocolVersion, capabilities: { tools: {} }, serverInfo }
writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
setInterval(() => {}, 1_000)
