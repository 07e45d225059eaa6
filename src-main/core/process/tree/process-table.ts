import { randomBytes } from 'node:crypto'

/** One row of the process table. */
export type ProcessEntry = {
  readonly pid: number
  readonly parent: number
  /** Process group; the pid itself if the system has none. */
  readonly group: number
  /** Exact and opaque; within one boot, pid and start time identify a process. */
  readonly startTime: string
  /** A zombie: ended, but not yet reaped by its parent. */
  readonly isDead: boolean
  /** Resident memory in bytes; shared memory counts in each process. */
  readonly rssBytes: number
  /** Processor time since the start, in ms. */
  readonly cpuMs: number
}

/** The process table at one moment, by pid. */
export type ProcessSnapshot = ReadonlyMap<number, ProcessEntry>

/**
 * Reads the machine's processes, one implementation per platform. A process that ended meanwhile is no error; any other failure rejects or
 * throws.
 */
export type ProcessTable = {
  /** Whether `readMark` works on this system. */
  readonly readsMarks: boolean
  /** Whether a process keeps its parent's pid after the parent ended, so that no look is needed before. */
  readonly keepsParents: boolean
  /** Takes a snapshot that begins after the call; concurrent callers share one. */
  read(): Promise<ProcessSnapshot>
  /** Reads the start mark in a process's environment; '' for none, undefined if unreadable. */
  readMark(entry: ProcessEntry): Promise<string | undefined>
  /** Start time of a living process if that is cheap; undefined otherwise. */
  startTimeOf(pid: number): string | undefined
  /** Whether a process seen before still runs, cheaply; on systems with costly start times, a pid in use is enough. */
  isRunning(pid: number, startTime: string): boolean
  /** Identifies the boot that pids and start times belong to. */
  bootId(): string
}

/**
 * Environment variable that every child passes on to its descendants. On Linux it finds those that left the group and were reparented. Not
 * a secret.
 */
export const START_MARK = 'PATCHBAY_RUN'

/** A new token for one run of the app, in hex. */
export function newRunToken(): string {
  return randomBytes(16).toString('hex')
}

/** The mark of one child: `RUN:CHILD`. */
export function startMark(run: string, child: string): string {
  return `${run}:${child}`
}

/** Parses a mark; undefined if invalid. */
export function parseStartMark(text: string): { run: string; child: string } | undefined {
  const parts = /^([0-9a-f]{32}):([\w-]+)$/u.exec(text)
  return parts ? { run: parts[1] ?? '', child: parts[2] ?? '' } : undefined
}
