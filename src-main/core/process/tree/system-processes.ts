import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

import { LinuxProcesses } from './linux-processes'
import { PrintedProcesses, type ProcessPrinter } from './printed-processes'
import type { ProcessEntry, ProcessSnapshot, ProcessTable } from './process-table'
import { windowsPrinter } from './windows-processes'

const LIMIT_MS = 3_000
const MAX_BYTES = 16 * 1024 * 1024
/** An empty title each, so that no heading is printed; POSIX takes the rest of an option for the title. */
const COLUMNS = ['pid=', 'ppid=', 'pgid=', 'stat=', 'rss=', 'time=', 'lstart='].flatMap((name) => [
  '-o',
  name,
])
/** Who tells nothing of what it takes is still there. */
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\d+|-)\s+([\d:.-]+)\s+(\S.*\S)\s*$/u

const run = promisify(execFile)

/** The processes of macOS and the BSDs, from ps(1); start times are exact to the second. */
const psPrinter: ProcessPrinter = {
  print: readTable,
  keepsParents: false,
  // A zombie of macOS says EPERM.
  isRunningWhereForbidden: false,
  bootId: () =>
    execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], {
      encoding: 'utf8',
      timeout: LIMIT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim(),
}

async function readTable(): Promise<ProcessSnapshot> {
  const { stdout } = await run('ps', ['-A', ...COLUMNS], {
    timeout: LIMIT_MS,
    maxBuffer: MAX_BYTES,
    // The start time is written in the words of a language.
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  return parsePs(stdout)
}

/** Reads the answer of `ps`, one process a line that ends in its start: "Sun Nov 22 04:15:39 2026". Other lines are left out. */
export function parsePs(text: string): ProcessSnapshot {
  const found = new Map<number, ProcessEntry>()
  for (const line of text.split('\n')) {
    const [, pid = '', parent, group, state = '', rss, time = '', start = ''] =
      LINE.exec(line) ?? []
    if (pid === '') continue
    found.set(Number(pid), {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      startTime: start.replace(/\s+/gu, ' '),
      isDead: state.startsWith('Z'),
      rssBytes: (Number(rss) || 0) * 1_024,
      cpuMs: readTime(time),
    })
  }
  return found
}

/** Processor time in ms of `[days-][hours:]minutes:seconds`; macOS lets the minutes grow, and adds hundredths. */
function readTime(text: string): number {
  const [clock = '', days = '0'] = text.split('-').reverse()
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1_000) || 0
}

/** The reader for a platform. */
export function openProcessTable(platform: NodeJS.Platform): ProcessTable {
  if (platform === 'linux') return new LinuxProcesses()
  return new PrintedProcesses(platform === 'win32' ? windowsPrinter : psPrinter)
}

/** This machine's processes: one reader for all, so that stops side by side share their looks. */
export const systemProcesses = openProcessTable(process.platform)

/** The start time of a child that was just spawned; undefined also where it cannot be read now: then the mark alone tells whose a process is. */
export function startTimeOf(pid: number): string | undefined {
  try {
    return systemProcesses.startTimeOf(pid)
  } catch {
    return undefined
  }
}
