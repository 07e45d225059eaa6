import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { AppErrorShape } from '../../src-shared/domain/app-error'
import type { LogEntry } from '../../src-shared/domain/log-entry'
import { call, toErrorShape } from '../ipc/call'

/** How many lines of one server the window holds. */
export const MOST_LINES = 20_000
/** A reader that main outruns gives up after this many rounds and shows what it has. */
const MOST_ROUNDS = 20

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

/** Lines that came while main was being read, by server. */
const waiting = new Map<string, LogEntry[]>()

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
    if (held) held.push(...entries)
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
  forget: (installationId) =>
    set(({ logs }) => ({
      logs: Object.fromEntries(Object.entries(logs).filter(([id]) => id !== installationId)),
    })),
  resync: () => {
    const open = Object.keys(get().logs)
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

/** Reads from main until what came meanwhile joins without a gap, or main holds the missing lines no more. */
async function catchUp(installationId: string): Promise<void> {
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const afterSeq = lastSeqOf(installationId)
    const input = { installationId, afterSeq, limit: MOST_LINES }
    const { entries, droppedBefore } = await call('log.read', input)
    const came = waiting.get(installationId) ?? []
    waiting.set(installationId, [])
    update(installationId, (log) => extended(log, entries))
    const lastSeq = lastSeqOf(installationId)
    const next = came.find(({ seq }) => seq > lastSeq)
    const isWhole = !next || next.seq <= Math.max(lastSeq + 1, droppedBefore)
    if (isWhole || round === MOST_ROUNDS) {
      update(installationId, (log) => extended(log, came))
      return
    }
  }
}

async function read(installationId: string): Promise<void> {
  waiting.set(installationId, [])
  update(installationId, (log) => ({ ...log, reading: true, problem: null }))
  try {
    await catchUp(installationId)
    update(installationId, (log) => ({ ...log, reading: false }))
  } catch (thrown) {
    update(installationId, (log) => ({ ...log, reading: false, problem: toErrorShape(thrown) }))
  }
  waiting.delete(installationId)
}

/** The log of one server; undefined until it was opened. */
export function useLog(installationId: string): ServerLog | undefined {
  return useStore(logStore, (state) => state.logs[installationId])
}
