import { execFile, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { endianness } from 'node:os'
import { promisify } from 'node:util'

import { attempt } from '../../../../src-shared/domain/attempt'
import { PrintedProcesses, type ProcessPrinter } from './printed-processes'
import { SharedRead } from './printed-processes'
import type { ProcessEntry, ProcessSnapshot, ProcessTable } from './process-table'
import { START_MARK } from './process-table'
import { windowsPrinter } from './windows-processes'

/** Processes per tick, about a millisecond. */
const SLICE = 100
const MARK = Buffer.from(`${START_MARK}=`)
const NUL = 0
/** Clock tick of /proc, in ms: the same on every architecture that Node runs on. */
const TICK_MS = 10
/** Entry of the auxiliary vector (getauxval(3)) with the page size. */
const AT_PAGESZ = 6n
const USUAL_PAGE = 4_096

type KnownMark = { readonly startTime: string; readonly mark: Promise<string | undefined> }

/** The process table of Linux, from /proc (proc(5)). */
class LinuxProcesses implements ProcessTable {
  readonly readsMarks = true
  readonly keepsParents = false
  readonly #snapshots = new SharedRead(() => this.#read())
  readonly #pageBytes = readPageBytes()
  /** Marks by process: an environment changes only by exec, and children inherit the mark at fork. */
  readonly #marks = new Map<number, KnownMark>()

  read(): Promise<ProcessSnapshot> {
    return this.#snapshots.next()
  }

  readMark({ pid, startTime }: ProcessEntry): Promise<string | undefined> {
    const known = this.#marks.get(pid)
    if (known?.startTime === startTime) return known.mark
    const entry: KnownMark = { startTime, mark: readEnvironmentMark(pid) }
    this.#marks.set(pid, entry)
    void entry.mark.then((mark) => {
      if (mark === undefined && this.#marks.get(pid) === entry) this.#marks.delete(pid)
    })
    return entry.mark
  }

  startTimeOf(pid: number): string | undefined {
    return readStat(pid)?.startTime
  }

  isRunning(pid: number, startTime: string): boolean {
    const entry = readStat(pid)
    return entry?.startTime === startTime && !entry.isDead
  }

  bootId(): string {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  }

  async #read(): Promise<ProcessSnapshot> {
    const found = new Map<number, ProcessEntry>()
    const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name))
    for (let at = 0; at < pids.length; at += SLICE) {
      if (at > 0) await new Promise((resolve) => setImmediate(resolve))
      for (const pid of pids.slice(at, at + SLICE)) {
        const entry = readStat(Number(pid), this.#pageBytes)
        if (entry) found.set(entry.pid, entry)
      }
    }
    for (const pid of this.#marks.keys())
      if (found.get(pid)?.isDead ?? true) this.#marks.delete(pid)
    return found
  }
}

/** Reads a process from `/proc/PID/stat`; undefined if it is gone. Throws if /proc can't be read. */
export function readStat(pid: number, pageBytes = USUAL_PAGE): ProcessEntry | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ESRCH'].includes(code)) return undefined // the process has ended
    throw error
  }
  // The name in parentheses may contain anything, so fields are counted from the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    startTime: fields[19] ?? '',
    isDead: state === 'Z' || state === 'X',
    cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    rssBytes: Number(fields[21]) * pageBytes,
  }
}

/** The page size in bytes: 4 KB on most machines, 16 or 64 KB on some with ARM. */
function readPageBytes(): number {
  const vector = readFileSync('/proc/self/auxv')
  const read = (at: number): bigint =>
    endianness() === 'LE' ? vector.readBigUInt64LE(at) : vector.readBigUInt64BE(at)
  for (let at = 0; at + 16 <= vector.length; at += 16) {
    if (read(at) === AT_PAGESZ) return Number(read(at + 8))
  }
  return USUAL_PAGE
}

async function readEnvironmentMark(pid: number): Promise<string | undefined> {
  const environment = await readFile(`/proc/${String(pid)}/environ`).catch(() => undefined)
  // The environment is empty during an exec and shortly before the exit.
  return environment?.length ? findMark(environment) : undefined
}

function findMark(environment: Buffer): string {
  let at = environment.indexOf(MARK)
  while (at > 0 && environment[at - 1] !== NUL) at = environment.indexOf(MARK, at + 1)
  if (at === -1) return ''
  const end = environment.indexOf(NUL, at)
  return environment.toString('utf8', at + MARK.length, end === -1 ? undefined : end)
}

const LIMIT_MS = 3_000
const MAX_BYTES = 16 * 1024 * 1024
/** Empty titles suppress the header; POSIX takes the rest of an option as the title. */
const COLUMNS = ['pid=', 'ppid=', 'pgid=', 'stat=', 'rss=', 'time=', 'lstart='].flatMap((name) => [
  '-o',
  name,
])
/** A process without memory and time figures still counts. */
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\d+|-)\s+([\d:.-]+)\s+(\S.*\S)\s*$/u

const run = promisify(execFile)

/** Processes of macOS and the BSDs, from ps(1); start times are exact to the second. */
const psPrinter: ProcessPrinter = {
  print: readTable,
  keepsParents: false,
  // macOS answers EPERM for zombies.
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
    // The start time is printed in the locale's language.
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  return parsePs(stdout)
}

/** Parses `ps` output, one process a line that ends with its start: "Sun Nov 22 04:15:39 2026". Other lines are ignored. */
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

/** Processor time in ms of `[days-][hours:]minutes:seconds`; macOS has more than 59 minutes, and hundredths. */
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

/** This machine's processes; one reader, so that parallel stops share their looks. */
export const systemProcesses = openProcessTable(process.platform)

/** Start time of a just spawned child; undefined if it can't be read now, so only the mark identifies it. */
export function startTimeOf(pid: number): string | undefined {
  return attempt(() => systemProcesses.startTimeOf(pid))
}
