import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { FieldProblem } from '../installation/launch-plan'
import { FailureCause } from './failure-cause'
import { RunnerAdvice } from './runner-advice'

/** The steps of a start, in order; `setUp` is there only when a missing runner is installed first, `repair` only when what a runner keeps is. */
export const StartPhase = z.enum([
  'setUp',
  'resolve',
  'repair',
  'install',
  'spawn',
  'handshake',
  'discover',
])
export type StartPhase = z.infer<typeof StartPhase>

/** One step of the newest start: epoch ms; `endedAt` is missing while it runs. `budgetMs` counts from `startedAt`. */
export const PhaseRecord = z.object({
  phase: StartPhase,
  startedAt: z.number(),
  endedAt: z.number().optional(),
  budgetMs: z.number(),
  outcome: z.enum(['running', 'done', 'failed', 'skipped', 'cancelled']),
  /** True while it waits for others to finish; its budget does not run yet. */
  isWaiting: z.boolean().optional(),
  /** What is special about this step, as a few words without full stop. */
  note: z.string().optional(),
})
export type PhaseRecord = z.infer<typeof PhaseRecord>

const Failure = AppErrorShape.extend({
  /** The last stderr lines, oldest first, masked. */
  stderrTail: z.array(z.string()),
  /** With CONFIG_INCOMPLETE: the fields to fix. */
  fields: z.array(FieldProblem),
  /** What its lines say in words that are known. */
  cause: FailureCause.optional(),
  /** Where a runner is missing, too old or not running: what fixes it. */
  advice: RunnerAdvice.optional(),
  /** What still runs of it and a stop ends: processes that linger, or a download that goes on. */
  leftover: z.enum(['processes', 'download']).optional(),
})

export const RunStatus = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stopped') }),
  z.object({
    kind: z.literal('starting'),
    phase: StartPhase,
    /** What it does, where it says so or takes longer than usual; without a full stop. */
    activity: z.string().optional(),
  }),
  /** Its start goes on once the user has signed in, at an address or with a code that it printed. */
  z.object({
    kind: z.literal('awaitingSignIn'),
    phase: StartPhase,
    /** http or https. */
    url: z.string().optional(),
    code: z.string().optional(),
  }),
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('degraded'), warnings: z.array(z.string()) }),
  /** Failed, and only a user can fix it. */
  z.object({ kind: z.literal('error'), ...Failure.shape }),
  /** Failed, and tried again automatically (A8, B11). */
  z.object({
    kind: z.literal('backingOff'),
    ...Failure.shape,
    /** `rest`: lost so often that it waits longer before one test start; `unreached`: it, the network, or what it runs in is away. */
    because: z.enum(['failedStart', 'lostSession', 'rest', 'unreached']),
    /** The number of the next try in this row of failures, from 1. */
    attempt: z.number().int(),
    /** After how many tries it pauses; missing where nothing limits them. */
    of: z.number().int().optional(),
    /** Epoch ms of the next try. */
    until: z.number(),
    /** Whether this computer has no network, which it waits for: it is tried as soon as there is one. */
    isOffline: z.boolean().optional(),
    /** With `rest`: how often it was lost within how many ms before it first rested. */
    losses: z.number().int().optional(),
    withinMs: z.number().optional(),
  }),
  /** Failed too often: nothing happens until a user starts it. */
  z.object({ kind: z.literal('paused'), ...Failure.shape, /** A sentence. */ reason: z.string() }),
  /** Runs elsewhere, and takes nothing before a user signs in; nothing is tried automatically. */
  z.object({
    kind: z.literal('signInNeeded'),
    /** Of the server. */
    host: z.string(),
    message: z.string(),
    hint: z.string().optional(),
  }),
  z.object({ kind: z.literal('stopping') }),
])
export type RunStatus = z.infer<typeof RunStatus>

/** The one word of each status, on screens and in the tray. */
export const STATUS_WORD: Record<RunStatus['kind'], string> = {
  stopped: 'Stopped',
  starting: 'Starting',
  ready: 'Ready',
  degraded: 'Degraded',
  error: 'Error',
  backingOff: 'Retrying',
  paused: 'Paused',
  signInNeeded: 'Sign-in needed',
  awaitingSignIn: 'Sign in to continue',
  stopping: 'Stopping',
}

/** A status with a failure in it. */
export type FailedStatus = Extract<RunStatus, { kind: 'error' | 'backingOff' | 'paused' }>

/** What a kind comes to; one that is added has to say it. */
const COMES_TO = {
  stopped: 'rest',
  starting: 'change',
  awaitingSignIn: 'change',
  ready: 'work',
  degraded: 'work',
  error: 'failure',
  backingOff: 'failure',
  paused: 'failure',
  signInNeeded: 'rest',
  stopping: 'change',
} as const satisfies Record<RunStatus['kind'], 'rest' | 'change' | 'work' | 'failure'>

/** Whether a server does not run because something failed. */
export function isFailed(status: RunStatus): status is FailedStatus {
  return COMES_TO[status.kind] === 'failure'
}

/** Whether its session serves. */
export function isWorking({ kind }: Pick<RunStatus, 'kind'>): boolean {
  return COMES_TO[kind] === 'work'
}

/** True while a process of the server may be alive. */
export function isActive({ kind }: Pick<RunStatus, 'kind'>): boolean {
  return COMES_TO[kind] === 'work' || COMES_TO[kind] === 'change'
}

/** Whether it runs, or waits for its next start. */
export function isWanted(status: Pick<RunStatus, 'kind'>): boolean {
  return isActive(status) || status.kind === 'backingOff'
}
