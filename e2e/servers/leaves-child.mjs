// Has a child that ignores the end of stdin and holds both pipes: with argv[2] "session" in a session of its own, with "stubborn" one
// that only SIGKILL ends. Exits with code 1 when its tool is called, without a response, and leaves the child behind.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { serveTools } from './mcp-server.mjs'

const stubborn = [join(import.meta.dirname, 'stubborn.mjs')]
const args = process.argv[2] === 'stubborn' ? stubborn : ['-e', 'setInterval(() => {}, 1000)']
const child = spawn(process.execPath, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: process.argv[2] === 'session',
})
serveTools([{ name: 'leave' }], {
  takesOver: ({ method }) => {
    if (method !== 'tools/call') return false
    process.stderr.write(`Leaves ${child.pid} behind\n`)
    process.exit(1)
  },
})
