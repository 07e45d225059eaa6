import { join } from 'node:path'

const [, program = '', command, ...rest] = process.argv

// A package runs this in the app's own binary. Programs that it starts must not run as Node because of that.
delete process.env.ELECTRON_RUN_AS_NODE

// The host waits for the bridge, which starts without the other commands' code.
if (command === 'bridge') {
  const { bridge } = await import('./bridge')
  await bridge(rest, program)
} else {
  const { runCommand } = await import('./run-command')
  await runCommand({ program, rendererDir: join(import.meta.dirname, '..', 'renderer') })
}
