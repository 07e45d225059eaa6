import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Signals a child and everything it started. On POSIX the child leads a process group of its own
 * (`child-process.ts` spawns it so); Windows has no signals, so both kinds end the tree by force.
 */
export function signalTree(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!isBeyondReach(error)) throw error
  }
}

/** Whether any process of the group that `pid` leads still runs; zombies that nobody reaps do not count. */
export function isTreeAlive(pid: number): boolean {
  if (process.platform === 'win32') return isProcessAlive(pid)
  try {
    process.kill(-pid, 0)
  } catch (error) {
    if (isBeyondReach(error)) return false
    throw error
  }
  return process.platform === 'linux' ? hasLivingMember(pid) : true
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (isBeyondReach(error)) return false
    throw error
  }
}

/** In a container without an init that reaps, dead members stay in the group for ever. */
function hasLivingMember(group: number): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/u.test(name)) return false
    const fields = readStat(name)
    return fields?.group === group && !['Z', 'X'].includes(fields.state)
  })
}

/** State and process group of `/proc/PID/stat` (proc(5)); the name in brackets may hold anything. */
function readStat(pid: string): { state: string; group: number } | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined // it ended meanwhile
  }
  const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state, group: Number(group) }
}

/** Gone, or (macOS, where all that is left are zombies) beyond this account. */
function isBeyondReach(error: unknown): boolean {
  return ['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')
}
