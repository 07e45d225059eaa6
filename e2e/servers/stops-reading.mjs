// Works until its tool is called. Then it never reads again: with argv[2] "closed" it closes its stdin, else its only thread sleeps
// forever.
import { closeSync } from 'node:fs'

import { say, serveTools } from './mcp-server.mjs'

const sleepForEver = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
const closeInput = (id) => {
  process.stdin.destroy()
  closeSync(0)
  say({ id, result: { content: [] } })
}

serveTools([{ name: 'turn_away' }], {
  outlivesInput: true,
  takesOver: ({ id, method }) => {
    if (method !== 'tools/call') return false
    if (process.argv[2] === 'closed') closeInput(id)
    else sleepForEver()
    return true
  },
})
setInterval(() => {}, 1_000)
