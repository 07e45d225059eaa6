import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { createStore } from 'zustand/vanilla'

import type { Trial, TrialProgress, TrialRequest } from '../../src-shared/domain/agents/trial'
import { SECRET_MASK } from '../../src-shared/domain/installation/launch-plan'
import { call, toErrorShape } from '../ipc/call'
import { tellFailure } from '../ipc/tell-failure'
import { pollWhileSeen } from '../ui/layout/poll-while-seen'
import { useApp } from './app-store'

type TrialState = {
  /** All that this window knows of, by their ids. */
  readonly trials: Readonly<Record<string, Trial>>
  /** The newest step of those that are on their way. */
  readonly progress: Readonly<Record<string, TrialProgress>>
  /** Those whose answer this window waits for. */
  readonly own: readonly string[]
  /** What this window sent, as it was: main masks secrets in what it tells, and cuts what is long. */
  readonly sent: Readonly<Record<string, TrialRequest>>
}

/** Most trials that a window remembers; main keeps the newest of each server. */
const MOST_TRIALS = 200
/** How often main is asked for the end of a trial that another window, or this one before a reload, has begun. */
const LOOK_MS = 1_000

/** What is tried in this window, and what main still knows of. */
export const trialStore = createStore<TrialState>(() => ({
  trials: {},
  progress: {},
  own: [],
  sent: {},
}))

/** What a request is about: the name of a tool or prompt, the address of a resource. */
export function targetOf({ method, params }: TrialRequest): string {
  const target = method === 'resources/read' ? params.uri : params.name
  return typeof target === 'string' ? target : ''
}

function keep(changed: readonly Trial[]): void {
  trialStore.setState(({ trials, own, sent }) => {
    const all = { ...trials, ...Object.fromEntries(changed.map((one) => [one.trialId, one])) }
    const newest = Object.values(all).toSorted((one, other) => other.startedAt - one.startedAt)
    const kept = newest.filter(({ trialId }, place) => place < MOST_TRIALS || own.includes(trialId))
    const ids = new Set(kept.map(({ trialId }) => trialId))
    return {
      trials: Object.fromEntries(kept.map((one) => [one.trialId, one])),
      sent: Object.fromEntries(Object.entries(sent).filter(([id]) => ids.has(id))),
    }
  })
}

function without<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key))
}

/** Notes a step of a trial; one of a trial that is over, or unknown here, is dropped. */
export function noteProgress(step: TrialProgress): void {
  const { trials } = trialStore.getState()
  const trial = trials[step.trialId]
  if (trial === undefined || trial.outcome !== undefined) return
  trialStore.setState(({ progress }) => ({ progress: { ...progress, [step.trialId]: step } }))
}

function forget(gone: readonly Trial[]): void {
  const ids = new Set(gone.map(({ trialId }) => trialId))
  if (ids.size === 0) return
  trialStore.setState(({ trials }) => ({
    trials: Object.fromEntries(Object.entries(trials).filter(([id]) => !ids.has(id))),
  }))
}

/** Forgets the trials of a server that is gone. */
export function forgetTrials(installationId: string): void {
  const { trials } = trialStore.getState()
  forget(Object.values(trials).filter((trial) => trial.installationId === installationId))
}

async function run(trial: Trial, timeoutMs: number | undefined): Promise<void> {
  const { trialId, installationId, request, startedAt } = trial
  const settle = (over: Trial): void => {
    trialStore.setState(({ own, progress }) => ({
      own: own.filter((one) => one !== trialId),
      progress: without(progress, trialId),
    }))
    keep([over])
  }
  try {
    const deadline = timeoutMs === undefined ? {} : { timeoutMs }
    settle(await call('trial.run', { installationId, trialId, request, ...deadline }))
  } catch (thrown) {
    const error = toErrorShape(thrown)
    const durationMs = Date.now() - startedAt
    settle({ ...trial, durationMs, outcome: { kind: 'failed', error } })
  }
}

/** Sends a request to a server and returns its id at once; `useTrial` tells how it goes. `timeoutMs`: see `trial.run`. */
export function startTrial(asked: {
  readonly installationId: string
  readonly request: TrialRequest
  readonly timeoutMs?: number | undefined
}): string {
  const { installationId, request, timeoutMs } = asked
  const trialId = crypto.randomUUID()
  const trial: Trial = { trialId, installationId, request, startedAt: Date.now(), hasText: false }
  trialStore.setState(({ own, sent }) => ({
    own: [...own, trialId],
    sent: { ...sent, [trialId]: request },
  }))
  keep([trial])
  void run(trial, timeoutMs)
  return trialId
}

/** What a trial sent, to fill it in or send it again; where another window sent it, with secrets masked. */
export function sentBy({ trialId, request }: Trial): TrialRequest {
  return trialStore.getState().sent[trialId] ?? request
}

/**
 * Whether what a trial sent is known as it was. Of those that another window sent, or this one before a reload, secrets
 * are masked, and arguments that are too long are left out.
 */
export function isKeptWhole({ trialId, request }: Trial): boolean {
  if (trialStore.getState().sent[trialId]) return true
  const { method, params } = request
  const isMasked = JSON.stringify(params).includes(SECRET_MASK)
  return !isMasked && (method === 'resources/read' || params.arguments !== undefined)
}

/** Takes a request back; its outcome then says that it was cancelled. */
export function cancelTrial(trialId: string): void {
  call('trial.cancel', { trialId }).catch(tellFailure)
}

/** One trial; nothing where there is none with this id. */
export function useTrial(trialId: string | undefined): {
  readonly trial: Trial | undefined
  readonly isRunning: boolean
} {
  const trial = useStore(trialStore, ({ trials }) => trials[trialId ?? ''])
  return { trial, isRunning: trial !== undefined && trial.outcome === undefined }
}

/** The newest step of a trial: up to twenty a second, so only what shows it should hear of it. */
export function useTrialProgress(trialId: string): TrialProgress | undefined {
  return useStore(trialStore, ({ progress }) => progress[trialId])
}

/** Which trials a history holds: those of a server, of one method, of one target; what is missing lets all pass. */
export type HistoryOf = {
  readonly installationId: string
  readonly method?: TrialRequest['method']
  readonly target?: string
}

function isOf(trial: Trial, { installationId, method, target }: HistoryOf): boolean {
  return (
    trial.installationId === installationId &&
    (method === undefined || trial.request.method === method) &&
    (target === undefined || targetOf(trial.request) === target)
  )
}

/** Asks main for what it knows; the texts of what it no longer knows go, and what of that was on its way. Does not reject. */
export async function readHistory(of: HistoryOf): Promise<void> {
  try {
    const told = await call('trial.history', of)
    const { own, trials } = trialStore.getState()
    keep(told.filter(({ trialId }) => !own.includes(trialId)))
    const known = new Set(told.map(({ trialId }) => trialId))
    const stale = Object.values(trials).filter(
      (trial) => isOf(trial, of) && !own.includes(trial.trialId) && !known.has(trial.trialId),
    )
    // Nobody will ever tell the end of one that was on its way.
    forget(stale.filter(({ outcome }) => outcome === undefined))
    const over = stale.filter(({ outcome, hasText }) => outcome !== undefined && hasText)
    if (over.length > 0) keep(over.map((trial) => ({ ...trial, hasText: false })))
  } catch (thrown) {
    tellFailure(thrown)
  }
}

/** What was tried and is still known, newest first; read from main while the caller stands. */
export function useHistory(
  installationId: string,
  method?: TrialRequest['method'],
  target?: string,
): readonly Trial[] {
  const of: HistoryOf = {
    installationId,
    ...(method === undefined ? {} : { method }),
    ...(target === undefined ? {} : { target }),
  }
  const found = useStore(
    trialStore,
    useShallow(({ trials }) => Object.values(trials).filter((trial) => isOf(trial, of))),
  )
  const question = JSON.stringify(of)
  const isFollowed = useStore(trialStore, ({ own }) =>
    found.some(({ trialId, outcome }) => outcome === undefined && !own.includes(trialId)),
  )
  const count = found.filter(({ outcome }) => outcome !== undefined).length
  // What failed here as the line was lost may go on there.
  const isConnected = useApp(({ connection }) => connection === 'connected')
  useEffect(() => {
    if (isConnected) void readHistory(JSON.parse(question) as HistoryOf)
  }, [question, count, isConnected])
  useEffect(() => {
    if (!isFollowed || !isConnected) return undefined
    return pollWhileSeen(document, LOOK_MS, () => readHistory(JSON.parse(question) as HistoryOf))
  }, [question, isFollowed, isConnected])
  // `keep` holds them newest first.
  return found
}

/** Has main and this window forget what was tried of a server; rejects with what main refused. */
export async function clearHistory(installationId: string): Promise<void> {
  await call('trial.clear', { installationId })
  forgetTrials(installationId)
}
