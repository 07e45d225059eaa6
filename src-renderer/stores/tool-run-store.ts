import { useQuery } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { createStore } from 'zustand/vanilla'

import type {
  ToolRun,
  ToolRunProgress,
  ToolRunRequest,
} from '../../src-shared/domain/agents/tool-run'
import { SECRET_MASK } from '../../src-shared/domain/installation/launch-plan'
import { call, toErrorShape } from '../ipc/call'
import { showFailure } from '../ipc/show-failure'
import { useApp } from './app-store'

type ToolRunState = {
  /** All runs known to this window, by id. */
  readonly toolRuns: Readonly<Record<string, ToolRun>>
  /** Latest progress of pending runs. */
  readonly progress: Readonly<Record<string, ToolRunProgress>>
  /** Runs whose response this window waits for. */
  readonly own: readonly string[]
  /** Original requests of this window, because main masks secrets and cuts long texts. */
  readonly sent: Readonly<Record<string, ToolRunRequest>>
}

/** Maximum number of runs in a window; main stores the newest of each server. */
const MAX_TOOL_RUNS = 200
/** Polling interval for the end of a run that another window started, or this one before a reload. */
const POLL_MS = 1_000

/** Runs of this window, and runs that main still stores. */
export const toolRunStore = createStore<ToolRunState>(() => ({
  toolRuns: {},
  progress: {},
  own: [],
  sent: {},
}))

/** Returns the subject of a request: the name of a tool or prompt, or the address of a resource. */
export function targetOf({ method, params }: ToolRunRequest): string {
  const target = method === 'resources/read' ? params.uri : params.name
  return typeof target === 'string' ? target : ''
}

function store(changed: readonly ToolRun[]): void {
  toolRunStore.setState(({ toolRuns, own, sent }) => {
    const all = { ...toolRuns, ...Object.fromEntries(changed.map((one) => [one.toolRunId, one])) }
    const newest = Object.values(all).toSorted((one, other) => other.startedAt - one.startedAt)
    const stored = newest.filter(
      ({ toolRunId }, place) => place < MAX_TOOL_RUNS || own.includes(toolRunId),
    )
    const ids = new Set(stored.map(({ toolRunId }) => toolRunId))
    return {
      toolRuns: Object.fromEntries(stored.map((one) => [one.toolRunId, one])),
      sent: Object.fromEntries(Object.entries(sent).filter(([id]) => ids.has(id))),
    }
  })
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key))
}

/** Records progress of a run; ignored for an ended or unknown run. */
export function recordProgress(step: ToolRunProgress): void {
  const { toolRuns } = toolRunStore.getState()
  const toolRun = toolRuns[step.toolRunId]
  if (toolRun === undefined || toolRun.outcome !== undefined) return
  toolRunStore.setState(({ progress }) => ({ progress: { ...progress, [step.toolRunId]: step } }))
}

function forget(removed: readonly ToolRun[]): void {
  const ids = new Set(removed.map(({ toolRunId }) => toolRunId))
  if (ids.size === 0) return
  toolRunStore.setState(({ toolRuns }) => ({
    toolRuns: Object.fromEntries(Object.entries(toolRuns).filter(([id]) => !ids.has(id))),
  }))
}

/** Removes the runs of a removed server. */
export function forgetToolRuns(installationId: string): void {
  const { toolRuns } = toolRunStore.getState()
  forget(Object.values(toolRuns).filter((toolRun) => toolRun.installationId === installationId))
}

async function run(toolRun: ToolRun, timeoutMs: number | undefined): Promise<void> {
  const { toolRunId, installationId, request, startedAt } = toolRun
  const finish = (ended: ToolRun): void => {
    toolRunStore.setState(({ own, progress }) => ({
      own: own.filter((one) => one !== toolRunId),
      progress: without(progress, toolRunId),
    }))
    store([ended])
  }
  try {
    const deadline = timeoutMs === undefined ? {} : { timeoutMs }
    finish(await call('toolRun.start', { installationId, toolRunId, request, ...deadline }))
  } catch (thrown) {
    const error = toErrorShape(thrown)
    const durationMs = Date.now() - startedAt
    finish({ ...toolRun, durationMs, outcome: { kind: 'failed', error } })
  }
}

/** Sends a request to a server and returns its id immediately; `useToolRun` follows it. `timeoutMs`: see `toolRun.start`. */
export function startToolRun(options: {
  readonly installationId: string
  readonly request: ToolRunRequest
  readonly timeoutMs?: number | undefined
}): string {
  const { installationId, request, timeoutMs } = options
  const toolRunId = crypto.randomUUID()
  const toolRun: ToolRun = {
    toolRunId,
    installationId,
    request,
    startedAt: Date.now(),
    hasText: false,
  }
  toolRunStore.setState(({ own, sent }) => ({
    own: [...own, toolRunId],
    sent: { ...sent, [toolRunId]: request },
  }))
  store([toolRun])
  void run(toolRun, timeoutMs)
  return toolRunId
}

/** Returns the request of a run, to edit it or send it again; secrets are masked if another window sent it. */
export function sentBy({ toolRunId, request }: ToolRun): ToolRunRequest {
  return toolRunStore.getState().sent[toolRunId] ?? request
}

/**
 * Whether the complete request of a run is known. Requests of another window, or of this one before a reload, have masked secrets and lack
 * long arguments.
 */
export function isComplete({ toolRunId, request }: ToolRun): boolean {
  if (toolRunStore.getState().sent[toolRunId]) return true
  const { method, params } = request
  const isMasked = JSON.stringify(params).includes(SECRET_MASK)
  return !isMasked && (method === 'resources/read' || params.arguments !== undefined)
}

/** Cancels a request; its outcome then says so. */
export function cancelToolRun(toolRunId: string): void {
  call('toolRun.cancel', { toolRunId }).catch(showFailure)
}

/** One run; undefined if none has this id. */
export function useToolRun(toolRunId: string | undefined): {
  readonly toolRun: ToolRun | undefined
  readonly isRunning: boolean
} {
  const toolRun = useStore(toolRunStore, ({ toolRuns }) => toolRuns[toolRunId ?? ''])
  return { toolRun, isRunning: toolRun !== undefined && toolRun.outcome === undefined }
}

/** Latest progress of a run: up to twenty a second, so only its display should subscribe. */
export function useToolRunProgress(toolRunId: string): ToolRunProgress | undefined {
  return useStore(toolRunStore, ({ progress }) => progress[toolRunId])
}

/** Filter of a history: server, method and target; a missing member matches everything. */
export type HistoryOf = {
  readonly installationId: string
  readonly method?: ToolRunRequest['method']
  readonly target?: string
}

function isOf(toolRun: ToolRun, { installationId, method, target }: HistoryOf): boolean {
  return (
    toolRun.installationId === installationId &&
    (method === undefined || toolRun.request.method === method) &&
    (target === undefined || targetOf(toolRun.request) === target)
  )
}

/** Reads the history from main; removes texts that main no longer stores, and lost pending runs. Does not reject. */
export async function readHistory(of: HistoryOf): Promise<void> {
  try {
    const stored = await call('toolRun.history', of)
    const { own, toolRuns } = toolRunStore.getState()
    store(stored.filter(({ toolRunId }) => !own.includes(toolRunId)))
    const known = new Set(stored.map(({ toolRunId }) => toolRunId))
    const stale = Object.values(toolRuns).filter(
      (toolRun) =>
        isOf(toolRun, of) && !own.includes(toolRun.toolRunId) && !known.has(toolRun.toolRunId),
    )
    // A lost pending run never ends; runs of views would displace the user's own.
    const isLost = ({ outcome, isOfView }: ToolRun): boolean =>
      outcome === undefined || isOfView === true
    forget(stale.filter(isLost))
    const ended = stale.filter((toolRun) => toolRun.hasText && !isLost(toolRun))
    if (ended.length > 0) store(ended.map((toolRun) => ({ ...toolRun, hasText: false })))
  } catch (thrown) {
    showFailure(thrown)
  }
}

/** Stored runs, newest first; read from main while mounted. */
export function useHistory(
  installationId: string,
  method?: ToolRunRequest['method'],
  target?: string,
): readonly ToolRun[] {
  const of: HistoryOf = {
    installationId,
    ...(method === undefined ? {} : { method }),
    ...(target === undefined ? {} : { target }),
  }
  const found = useStore(
    toolRunStore,
    useShallow(({ toolRuns }) => Object.values(toolRuns).filter((toolRun) => isOf(toolRun, of))),
  )
  const isFollowed = useStore(toolRunStore, ({ own }) =>
    found.some(({ toolRunId, outcome }) => outcome === undefined && !own.includes(toolRunId)),
  )
  const ended = found.filter(({ outcome }) => outcome !== undefined).length
  useQuery({
    queryKey: ['toolRun.history', of, ended],
    queryFn: () => readHistory(of).then(() => null),
    // A run that failed here with the connection may continue in main.
    enabled: useApp(({ connection }) => connection === 'connected'),
    refetchInterval: isFollowed && POLL_MS,
    refetchOnWindowFocus: isFollowed && 'always',
  })
  // `store` sorts them newest first.
  return found
}

/** Deletes the runs of a server in main and in this window; rejects like main. */
export async function clearHistory(installationId: string): Promise<void> {
  await call('toolRun.clear', { installationId })
  forgetToolRuns(installationId)
}
