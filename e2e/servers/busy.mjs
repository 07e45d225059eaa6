// Holds 100 MB, and has a child that uses a whole CPU core while the server lives, for at most a minute.
import { spawn } from 'node:child_process'

import { serveTools } from './mcp-server.mjs'

const BYTES = 100 * 1024 * 1024
const code =
  'const end = Date.now() + 60_000; while (Date.now() < end && process.ppid === Number(process.argv[1]));'
spawn(process.execPath, ['-e', code, String(process.pid)], { stdio: 'ignore' })
const kept = Buffer.alloc(BYTES, 1)
serveTools([{ name: 'keep', call: () => kept.length }])
