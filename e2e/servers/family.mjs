// Starts a grandchild that ignores the end of stdin, writes its pid to stderr, and works.
import { spawn } from 'node:child_process'

import { serveTools } from './mcp-server.mjs'

const code = 'process.stdin.resume(); setInterval(() => {}, 1000)'
const grandchild = spawn(process.execPath, ['-e', code], {
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.stderr.write(`grandchild ${grandchild.pid}\n`)
serveTools([{ name: 'call_home', call: () => grandchild.pid }])
