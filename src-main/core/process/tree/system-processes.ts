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

/** How many processes are looked at before others get their turn: about a millisecond. */
const SLICE = 100
const MARK = Buffer.from(`${START_MARK}=`)
const NUL = 0
/** One unit of time in /proc: 10 ms, as the kernel tells programs on every architecture that Node runs on. */
const TICK_MS = 10
/** The entry of the auxiliary vector (getauxval(3)) that holds the size of a page. */
const AT_PAGESZ = 6n
const USUAL_PAGE = 4_096

type KnownMark = { readonly startTime: string; readonly mark: Promise<string | undefined> }

/** The process table of Linux, from /proc (proc(5)). */
class LinuxProcesses implements ProcessTable {
  readonly readsMarks = true
  readonly keepsParents = false
  readonly #snapshots = new SharedRead(() => this.#read())
  readonly #pageBytes = readPageBytes()
  /** Marks by process: an environment changes with an exec only, and a mark is inherited at the fork. */
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

/** One process from `/proc/PID/stat`; undefined when it is gone. Throws where /proc itself cannot be read. */
export function readStat(pid: number, pageBytes = USUAL_PAGE): ProcessEntry | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ESRCH'].includes(code)) return undefined // it ended meanwhile
    throw error
  }
  // The name in brackets may hold anything, so the fields are counted from its last bracket.
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

/** The size of a page of memory in bytes: 4 KB on most machines, 16 or 64 KB on some with ARM. */
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
  // In the middle of an exec it is empty, and so it is when the process is about to end.
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
  return attempt(() => systemProcesses.startTimeOf(pid))
}
