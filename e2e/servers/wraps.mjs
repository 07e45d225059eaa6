// Wraps a server like npx: starts the fixture argv[3] with its arguments on its own pipes, and exits when that exits. argv[2] is
// "group", or "session" for a session of the server's own.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const [, , where, script, ...args] = process.argv
const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
  stdio: 'inherit',
  detached: where === 'session',
})
process.stderr.write(`wraps ${child.pid}\n`)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => process.exit(code ?? 1))
