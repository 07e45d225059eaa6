import { execFile } from 'node:child_process'
import { win32 } from 'node:path'
import { promisify } from 'node:util'

import type { ProcessPrinter } from './printed-processes'
import type { ProcessEntry, ProcessSnapshot } from './process-table'

const LIMIT_MS = 8_000
const MAX_BYTES = 16 * 1024 * 1024
/** One process per line: pid, parent, start since 1601, working set in bytes, and processor time; times in units of 100 ns. */
const QUERY =
  'Get-CimInstance Win32_Process -Property ProcessId,ParentProcessId,CreationDate,WorkingSetSize,KernelModeTime,UserModeTime | ' +
  'Where-Object CreationDate | ' +
  "ForEach-Object { '{0} {1} {2} {3} {4}' -f $_.ProcessId,$_.ParentProcessId,$_.CreationDate.ToFileTimeUtc()," +
  '([uint64]$_.WorkingSetSize),([uint64]$_.KernelModeTime+[uint64]$_.UserModeTime) }'
/** A process without memory and time figures still counts. */
const LINE = /^(\d+) (\d+) (\d+)(?: (\d+) (\d+))?$/u
const UNITS_A_MS = 10_000

const run = promisify(execFile)

/** Processes of Windows, from PowerShell, which takes about a second. */
export const windowsPrinter: ProcessPrinter = {
  print: readTable,
  keepsParents: true,
  isRunningWhereForbidden: true,
  /** Start times are absolute, so they differ between boots anyway. */
  bootId: () => 'windows',
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

/** Full path of a system program: Windows searches the current folder first. */
export function windowsProgram(name: string): string {
  return win32.join(process.env.SystemRoot ?? 'C:/Windows', 'System32', name)
}

/** Parses the output of the query above; other lines are ignored. */
export function parseWindowsTable(text: string): ProcessSnapshot {
  const found = new Map<number, ProcessEntry>()
  for (const line of text.split(/\r?\n/u)) {
    const [, pid = '', parent, startTime = '', rss = '', cpu = ''] = LINE.exec(line.trim()) ?? []
    if (pid === '') continue
    found.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(pid),
      startTime,
      isDead: false,
      rssBytes: Number(rss),
      cpuMs: Number(cpu) / UNITS_A_MS,
    })
  }
  return withoutAdopted(found)
}

/** Windows keeps the pid of a parent that is gone, and another process may reuse it: a process older than its parent isn't its child. */
function withoutAdopted(found: ReadonlyMap<number, ProcessEntry>): ProcessSnapshot {
  return new Map(
    [...found].map(([pid, entry]) => {
      const parent = found.get(entry.parent)
      const isOlder = parent !== undefined && Number(entry.startTime) < Number(parent.startTime)
      return [pid, isOlder ? { ...entry, parent: 0 } : entry]
    }),
  )
}
