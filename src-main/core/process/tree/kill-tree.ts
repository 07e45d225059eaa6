import { spawn } from 'node:child_process'

import { windowsProgram } from './windows-processes'

/** The two signals of a stop: the one that asks and the one that ends. */
export type TreeSignal = 'SIGTERM' | 'SIGKILL'

const TASKKILL_LIMIT_MS = 5_000

/** Signals a process, or with a negative number a process group; one that is gone or another account's is left. */
export function sendSignal(pid: number, signal: TreeSignal): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isBeyondReach(error)) throw error
  }
}

/** Ends processes of Windows by force, each with all that it started; settles when `taskkill` has ended, within 5 s. */
export function taskkill(pids: readonly number[]): Promise<void> {
  if (pids.length === 0) return Promise.resolve()
  const args = ['/T', '/F', ...pids.flatMap((pid) => ['/PID', String(pid)])]
  const options = { stdio: 'ignore', windowsHide: true, timeout: TASKKILL_LIMIT_MS } as const
  return new Promise((resolve) => {
    spawn(windowsProgram('taskkill.exe'), args, options)
      // Whether it worked is seen by looking at the tree again.
      .once('error', () => resolve())
      .once('exit', () => resolve())
  })
}

/** Gone, or (macOS, where all that is left are zombies) beyond this account. */
function isBeyondReach(error: unknown): boolean {
  return ['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
