import { EventEmitter, getEventListeners } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { queryObjects } from 'node:v8'

import { LogBuffer } from '../../src-main/core/log/log-buffer'
import { StdioConnection } from '../../src-main/core/mcp/connections/stdio'
import { ServerSession } from '../../src-main/core/mcp/session'
import { MARK } from './ten-servers'

/** Living objects after a cycle, counted by kind; `heapKb` is the used heap after garbage collection. */
export type Census = Readonly<Record<string, number>>

const COLLECTIONS = 6

const timer = setTimeout(() => undefined, 0)
clearTimeout(timer)

type AnyClass = abstract new (...args: never[]) => unknown

/** Kinds of counted heap objects: the core's own, and those of listeners, timers and promises. */
const CLASSES: Readonly<Record<string, AnyClass>> = {
  sessions: ServerSession,
  transports: StdioConnection,
  logs: LogBuffer,
  timers: timer.constructor as AnyClass,
  emitters: EventEmitter,
  abortSignals: AbortSignal,
  promises: Promise,
  closures: Function,
}

/** Counts everything that may leak; each kind needs a full collection, so it takes about a second. */
export async function takeCensus(mark: string, lastingSignal: AbortSignal): Promise<Census> {
  await collect()
  // Before counting objects, which creates lists of them.
  const heapKb = process.memoryUsage().heapUsed / 1024
  const objects = Object.entries(CLASSES).map(([name, type]) => [
    name,
    queryObjects(type as new () => unknown, { format: 'count' }),
  ])
  return {
    handles: process.getActiveResourcesInfo().length,
    processes: markedProcesses(mark).length,
    processListeners: listenersOf(process),
    signalListeners: getEventListeners(lastingSignal, 'abort').length,
    ...(Object.fromEntries(objects) as Record<string, number>),
    heapKb,
  }
}

/** Collects until nothing is left to free: a native handle's objects are free one collection after it. */
async function collect(): Promise<void> {
  for (let turn = 0; turn < COLLECTIONS; turn += 1) {
    globalThis.gc?.()
    await nextTurn()
  }
}

/** Kinds and numbers of handles, timers and requests that keep the event loop alive. */
export function handleKinds(): string {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')
}

function listenersOf(emitter: NodeJS.EventEmitter): number {
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)
}

/** Process ids with the mark in their environment, whatever started them; empty except on Linux. */
export function markedProcesses(mark: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && isMarked(name, mark))
    .map(Number)
}

function isMarked(pid: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${MARK}=${mark}`)
  } catch {
    return false // it ended meanwhile, or belongs to another user
  }
}
