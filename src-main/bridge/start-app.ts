import { spawn } from 'node:child_process'

/** Starts Patchbay without a window, apart from this process: it stays when the bridge ends. `program`: the command line that runs now. */
export function startApp(
  program: string,
  profileDir: string,
  onFault: (error: Error) => void,
): void {
  const args = [program, 'serve', '--no-open', '--profile', profileDir]
  // No server that it starts needs to see the key.
  const env = { ...process.env, PATCHBAY_AGENT_KEY: undefined }
  const child = spawn(process.execPath, args, { detached: true, stdio: 'ignore', env })
  child.once('error', onFault)
  child.unref()
}
