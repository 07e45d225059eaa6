import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { LogEntry } from '../../src-shared/domain/log-entry'
import { call, toErrorShape } from '../ipc/call'

/** How many lines of one server the window holds. */
export const MOST_LINES = 20_000
/** A reader that main outruns gives up after this many rounds and shows what it has. */
const MOST_ROUNDS = 3
/** Main is asked for no more than this on average, so that a flood leaves the page time for the person. */
const LINES_A_SECOND = 5_000
/** Reads that owe a shorter pause than this go on at once, in ms. */
const SHORT_PAUSE_MS = 50

/** The log of one server as this window knows it. */
export type ServerLog = {
  readonly entries: readonly LogEntry[]
  /** The newest line that was seen, shown or cleared; -1 before the first. */
  readonly lastSeq: number
  readonly reading: boolean
  readonly problem: AppErrorShape | null
}

type LogStoreState = {
  readonly logs: Readonly<Record<string, ServerLog>>
  /** Starts to hold the log of a server; the first call reads what main holds. */
  readonly open: (installationId: string) => void
  /** Takes new lines of an open log; a gap before them is read from main. */
  readonly append: (installationId: string, entries: readonly LogEntry[]) => void
  /** Empties the log here and in main. */
  readonly clear: (installationId: string) => Promise<void>
  /** Lets go of the log of a server that is no more. */
  readonly forget: (installationId: string) => void
  /** Reads every open log anew, after the line to main was lost. */
  readonly resync: () => void
}

const EMPTY: ServerLog = { entries: [], lastSeq: -1, reading: false, problem: null }

/** Adds what is newer to the end of a log and keeps its bound. */
function extended(log: ServerLog, entries: readonly LogEntry[]): ServerLog {
  const fresh = entries.filter(({ seq }) => seq > log.lastSeq)
  const newest = fresh.at(-1)
  if (!newest) return log
  return {
    ...log,
    entries: [...log.entries, ...fresh].slice(-MOST_LINES),
    lastSeq: newest.seq,
  }
}

/** Lines that came while main was being read, by server; the newest reading's own list. */
const waiting = new Map<string, LogEntry[]>()
/** When main may be asked for a server's lines again, as `performance.now()` counts. */
const notBefore = new Map<string, number>()

function hold(held: LogEntry[], entries: readonly LogEntry[]): void {
  for (const entry of entries) held.push(entry)
  if (held.length > 2 * MOST_LINES) held.splice(0, held.length - MOST_LINES)
}

/** The logs of the servers that were looked at, bounded, without gaps. */
export const logStore = createStore<LogStoreState>((set, get) => ({
  logs: {},
  open: (installationId) => {
    const log = get().logs[installationId]
    if (!log || (log.problem && !log.reading)) void read(installationId)
  },
  append: (installationId, entries) => {
    const log = get().logs[installationId]
    if (!log) return
    const held = waiting.get(installationId)
    const first = entries.find(({ seq }) => seq > log.lastSeq)
    if (held) hold(held, entries)
    else if (first && first.seq > log.lastSeq + 1) void read(installationId)
    else update(installationId, (old) => extended(old, entries))
  },
  clear: async (installationId) => {
    const upTo = get().logs[installationId]?.lastSeq ?? -1
    await call('log.clear', { installationId })
    update(installationId, (log) => ({
      ...log,
      entries: log.entries.filter(({ seq }) => seq > upTo),
    }))
  },
  forget: (installationId) => {
    waiting.delete(installationId)
    notBefore.delete(installationId)
    set(({ logs }) => ({
      logs: Object.fromEntries(Object.entries(logs).filter(([id]) => id !== installationId)),
    }))
  },
  resync: () => {
    const open = Object.keys(get().logs)
    notBefore.clear()
    set({ logs: Object.fromEntries(open.map((id) => [id, EMPTY])) })
    for (const installationId of open) void read(installationId)
  },
}))

function update(installationId: string, change: (log: ServerLog) => ServerLog): void {
  logStore.setState(({ logs }) => ({
    logs: { ...logs, [installationId]: change(logs[installationId] ?? EMPTY) },
  }))
}

function lastSeqOf(installationId: string): number {
  return logStore.getState().logs[installationId]?.lastSeq ?? -1
}

/** Waits as long as the lines that were read before demand. */
async function untilMayRead(installationId: string): Promise<void> {
  const pause = (notBefore.get(installationId) ?? 0) - performance.now()
  if (pause >= SHORT_PAUSE_MS) await new Promise((resolve) => setTimeout(resolve, pause))
}

/**
 * Reads from main until what came meanwhile joins without a gap, or main holds the missing lines no
 * more; false when a newer reading took over.
 */
async function catchUp(installationId: string, held: LogEntry[]): Promise<boolean> {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    await untilMayRead(installationId)
    const afterSeq = lastSeqOf(installationId)
    const input = { installationId, afterSeq, limit: MOST_LINES }
    const { entries, droppedBefore } = await call('log.read', input)
    if (waiting.get(installationId) !== held) return false
    const pause = (entries.length * 1_000) / LINES_A_SECOND
    notBefore.set(installationId, performance.now() + pause)
    const came = held.splice(0)
    update(installationId, (log) => extended(log, entries))
    const lastSeq = lastSeqOf(installationId)
    const next = came.find(({ seq }) => seq > lastSeq)
    const isWhole = !next || next.seq <= Math.max(lastSeq + 1, droppedBefore)
    if (isWhole || round === MOST_ROUNDS) {
      update(installationId, (log) => extended(log, came))
      break
    }
  }
  return true
}

async function read(installationId: string): Promise<void> {
  const held: LogEntry[] = []
  waiting.set(installationId, held)
  update(installationId, (log) => ({ ...log, reading: true, problem: null }))
  let problem: AppErrorShape | null = null
  try {
    if (!(await catchUp(installationId, held))) return
  } catch (thrown) {
    problem = toErrorShape(thrown)
  }
  if (waiting.get(installationId) !== held) return
  waiting.delete(installationId)
  update(installationId, (log) => ({ ...log, reading: false, problem }))
}

/** The log of one server; undefined until it was opened. */
export function useLog(installationId: string): ServerLog | undefined {
  return useStore(logStore, (state) => state.logs[installationId])
}
