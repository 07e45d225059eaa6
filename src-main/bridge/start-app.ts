import { spawn } from 'node:child_process'

import { hiddenStart } from '../adapters/own-command'
import { defaultProfileDir } from '../serve/profile-dir'

/** Starts Patchbay without a window, apart from this process: it stays when the bridge ends. `program`: the command line that runs now. */
export function startApp(
  program: string,
  profileDir: string,
  onFault: (error: Error) => void,
): void {
  const { platform, execPath, env: own } = process
  const { command, args, env } = hiddenStart(
    {
      ...{ platform, execPath, env: own, cli: program, node: execPath },
      isRoot: process.getuid?.() === 0,
    },
    profileDir,
    profileDir === defaultProfileDir(platform, own),
  )
  const child = spawn(command, args, { detached: true, stdio: 'ignore', env })
  child.once('error', onFault)
  child.unref()
}
