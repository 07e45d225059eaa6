import { spawn } from 'node:child_process'

import { windowsProgram } from './windows-processes'

/** The signals of a stop. */
export type TreeSignal = 'SIGTERM' | 'SIGKILL'

const TASKKILL_LIMIT_MS = 5_000

/** Signals a process, or a process group if `pid` is negative; ignores a process that is gone or belongs to another account. */
export function sendSignal(pid: number, signal: TreeSignal): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isUnreachable(error)) throw error
  }
}

/** Kills Windows process trees; settles when `taskkill` has ended, within 5 s. */
export function taskkill(pids: readonly number[]): Promise<void> {
  if (pids.length === 0) return Promise.resolve()
  const args = ['/T', '/F', ...pids.flatMap((pid) => ['/PID', String(pid)])]
  const options = { stdio: 'ignore', windowsHide: true, timeout: TASKKILL_LIMIT_MS } as const
  return new Promise((resolve) => {
    spawn(windowsProgram('taskkill.exe'), args, options)
      // The next look at the tree shows whether it worked.
      .once('error', () => resolve())
      .once('exit', () => resolve())
  })
}

/** The process is gone, or (on macOS, if only zombies are left) out of reach. */
function isUnreachable(error: unknown): boolean {
  return ['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
