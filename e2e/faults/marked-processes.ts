import { readdirSync, readFileSync } from 'node:fs'

/** The variable that each row puts into the environment of its server, so that all it starts carry it on. */
export const MARK = 'PATCHBAY_FAULT_ROW'

/**
 * Pids of the living processes whose environment carries the mark, wherever they moved to: another group,
 * another session, another parent. Empty where there is no /proc (proc(5)).
 */
export function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return []
  const entry = `${MARK}=${mark}`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && environmentOf(name).includes(entry))
    .map(Number)
}

/** How many processes of a row are left; where there is no /proc, whether its own one is. */
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

/** Empty for a zombie, which holds nothing any more. */
function environmentOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return [] // it ended meanwhile, or is another account's
  }
}
