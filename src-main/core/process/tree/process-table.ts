import { randomBytes } from 'node:crypto'

/** One line of the system's process table. */
export type ProcessEntry = {
  readonly pid: number
  readonly parent: number
  /** Process group; the pid itself where the system has none. */
  readonly group: number
  /** When it started, exact and opaque: within one boot, pid and this together name one process for ever. */
  readonly startTime: string
  /** A zombie: it has ended, and only its parent's answer is missing. */
  readonly isDead: boolean
  /** Resident memory in bytes; what several processes share counts in each. */
  readonly rssBytes: number
  /** Processor time since it started, in ms. */
  readonly cpuMs: number
}

/** The process table at one moment, by pid. */
export type ProcessSnapshot = ReadonlyMap<number, ProcessEntry>

/** What can be known of the machine's processes, one implementation per platform. That a process ended meanwhile is no error; what else keeps the table from being read rejects or throws. */
export type ProcessTable = {
  /** Whether `readMark` can tell anything here. */
  readonly readsMarks: boolean
  /** Whether a process keeps its parent's number when the parent has ended, so that nobody must look before. */
  readonly keepsParents: boolean
  /** A snapshot begun after the call; calls that wait at the same time share one. */
  read(): Promise<ProcessSnapshot>
  /** The start mark (`start-mark.ts`) in the environment of a process; '' for none, undefined where it cannot be read. */
  readMark(entry: ProcessEntry): Promise<string | undefined>
  /** Start time of a living process immediately, where that costs nothing; undefined elsewhere. */
  startTimeOf(pid: number): string | undefined
  /** A cheap look whether a process seen before still runs; where start times are costly, a pid in use counts. */
  isRunning(pid: number, startTime: string): boolean
  /** Names the run of the system that pids and start times belong to. */
  bootId(): string
}

/**
 * The environment variable that every child carries and hands on to all that it starts: on Linux it
 * finds descendants that left the group and were given to another parent. It is no secret.
 */
export const START_MARK = 'PATCHBAY_RUN'

/** A fresh token for one run of the app, in hex. */
export function newRunToken(): string {
  return randomBytes(16).toString('hex')
}

/** The mark of one child: `RUN:CHILD`. */
export function startMark(run: string, child: string): string {
  return `${run}:${child}`
}

/** The parts of a mark; undefined for a text that is none. */
export function parseStartMark(text: string): { run: string; child: string } | undefined {
  const parts = /^([0-9a-f]{32}):([\w-]+)$/u.exec(text)
  return parts ? { run: parts[1] ?? '', child: parts[2] ?? '' } : undefined
}
