import { spawn } from 'node:child_process'

/**
 * Starts a program (the built `after-exit.js`) that removes the window storage after this process has ended: until then Chromium writes to
 * it.
 */
export function removeAfterExit(program: string, profileDir: string): void {
  spawn(process.execPath, [program, String(process.pid), profileDir], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  })
    .on('error', (error) => {
      process.stderr.write(`The window storage could not be removed: ${error.message}\n`)
    })
    .unref()
}
