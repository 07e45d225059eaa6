import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'

import { readStat } from './linux-processes'
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

/** Whether any process of the group that `pid` leads still runs; zombies that nobody reaps do not count. */
export function isTreeAlive(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0)
  } catch (error) {
    if (isBeyondReach(error)) return false
    throw error
  }
  return process.platform === 'linux' ? hasLivingMember(pid) : true
}

/** In a container without an init that reaps, dead members stay in the group for ever. */
function hasLivingMember(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    const entry = /^\d+$/u.test(name) ? readStat(Number(name)) : undefined
    return entry?.group === group && !entry.isDead
  })
}

/** Gone, or (macOS, where all that is left are zombies) beyond this account. */
function isBeyondReach(error: unknown): boolean {
  return ['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
