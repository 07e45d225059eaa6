import { readdirSync, readFileSync } from 'node:fs'

/** Variable in each row's server environment, inherited by its descendants. */
export const MARK = 'PATCHBAY_FAULT_ROW'

/**
 * Pids of living processes with the mark in their environment, even in another group, session or under another parent. Empty without /proc
 * (proc(5)).
 */
export function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return []
  const entry = `${MARK}=${mark}`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && environmentOf(name).includes(entry))
    .map(Number)
}

/** Number of a row's remaining processes; without /proc, whether its own one remains. */
export function countMarked(mark: string, pid: number | undefined): number {
  if (process.platform === 'linux') return markedProcesses(mark).length
  return pid !== undefined && isAlive(pid) ? 1 : 0
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // it is gone
  }
}

/** Empty for a zombie. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return [] // it ended meanwhile, or belongs to another account
  }
}
