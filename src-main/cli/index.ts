import { join } from 'node:path'

const [, program = '', command, ...rest] = process.argv

// A host waits for the bridge: it comes without what the other commands need.
if (command === 'bridge') {
  const { bridge } = await import('./bridge')
  await bridge(rest, program)
} else {
  const { runCommand } = await import('./run-command')
  await runCommand(join(import.meta.dirname, '..', 'renderer'))
}
