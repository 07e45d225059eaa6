import { execFile } from 'node:child_process'
import { win32 } from 'node:path'
import { promisify } from 'node:util'

import type { ProcessEntry, ProcessSnapshot, ProcessTable } from './process-table'
import { SharedRead } from './shared-read'

const LIMIT_MS = 8_000
const MAX_BYTES = 16 * 1024 * 1024
/** One process a line: pid, parent, and the start in units of 100 ns since 1601. */
const QUERY =
  'Get-CimInstance Win32_Process -Property ProcessId,ParentProcessId,CreationDate | ' +
  'Where-Object CreationDate | ' +
  "ForEach-Object { '{0} {1} {2}' -f $_.ProcessId,$_.ParentProcessId,$_.CreationDate.ToFileTimeUtc() }"

const run = promisify(execFile)

/** The process table of Windows, from PowerShell: dear (about a second), so it is read where nothing else tells. */
export class WindowsProcesses implements ProcessTable {
  readonly readsMarks = false
  readonly keepsParents = true
  readonly #snapshots = new SharedRead(readTable)

  read(): Promise<ProcessSnapshot> {
    return this.#snapshots.next()
  }

  readMark(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  startTimeOf(): undefined {
    return undefined
  }

  isRunning(pid: number): boolean {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  }

  /** Start times are absolute here, so that they differ from boot to boot by themselves. */
  bootId(): string {
    return 'windows'
  }
}

async function readTable(): Promise<ProcessSnapshot> {
  const args = ['-NoProfile', '-NonInteractive', '-Command', QUERY]
  const options = { timeout: LIMIT_MS, maxBuffer: MAX_BYTES, windowsHide: true }
  const { stdout } = await run(
    windowsProgram('WindowsPowerShell/v1.0/powershell.exe'),
    args,
    options,
  )
  return parseWindowsTable(stdout)
}

/** A program of the system itself, by its whole path: Windows looks in the current folder first. */
export function windowsProgram(name: string): string {
  return win32.join(process.env.SystemRoot ?? 'C:/Windows', 'System32', name)
}

/** Reads the answer to the query above; other lines are left out. */
export function parseWindowsTable(text: string): ProcessSnapshot {
  const found = new Map<number, ProcessEntry>()
  for (const line of text.split(/\r?\n/u)) {
    const [, pid = '', parent, startTime = ''] = /^(\d+) (\d+) (\d+)$/u.exec(line.trim()) ?? []
    if (pid === '') continue
    const entry = { pid: Number(pid), parent: Number(parent), group: Number(pid) }
    found.set(entry.pid, { ...entry, startTime, isDead: false })
  }
  return withoutAdopted(found)
}

/** Windows keeps the number of a parent that is gone, and another process may have it since: who is older than its parent is not its child. */
function withoutAdopted(found: ReadonlyMap<number, ProcessEntry>): ProcessSnapshot {
  return new Map(
    [...found].map(([pid, entry]) => {
      const parent = found.get(entry.parent)
      const isOlder = parent !== undefined && Number(entry.startTime) < Number(parent.startTime)
      return [pid, isOlder ? { ...entry, parent: 0 } : entry]
    }),
  )
}
