// `node session.mjs COMMAND …`: runs a command on a private desktop, with a display, a window manager and a session bus without automatic
// services; exits with the command's code.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A bus without service files: only services of a test exist. */
const BUS = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>`

const folder = mkdtempSync(join(tmpdir(), 'patchbay-desktop-'))
const started = []
try {
  const config = join(folder, 'bus.conf')
  writeFileSync(config, BUS)
  const display = await firstLine(
    start('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1000x24']),
  )
  const bus = start('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address=1'])
  const env = {
    ...process.env,
    DISPLAY: `:${display}`,
    DBUS_SESSION_BUS_ADDRESS: await firstLine(bus),
    // Marks a desktop, without which Electron asks none.
    XDG_CURRENT_DESKTOP: 'GNOME',
    XDG_SESSION_TYPE: 'x11',
    XDG_RUNTIME_DIR: folder,
  }
  start('openbox', ['--sm-disable'], env)
  const [command, ...args] = process.argv.slice(2)
  const child = spawn(command, args, { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  process.exitCode = code ?? 1
} finally {
  for (const child of started.toReversed()) child.kill()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function start(program, args, env = process.env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  child.once('error', (error) => {
    process.stderr.write(`${program} can’t be started: ${error.message}\n`)
    process.exitCode = 1
  })
  started.push(child)
  return child
}

async function firstLine(child) {
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${child.spawnfile} ended`))),
  ])
  return line
}
