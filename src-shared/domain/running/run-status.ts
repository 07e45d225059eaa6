import * as z from 'zod'

import { AppErrorShape } from '../app-error'
import { FieldProblem } from '../installation/launch-plan'
import { FailureCause } from './failure-cause'
import { RunnerAdvice } from './runner-advice'

/** Steps of a start, in order. `setUp` exists only if a missing runner is installed first, `repair` only if a runner's copy is repaired. */
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

/** One step of the latest start: epoch ms. `endedAt` is missing while it runs. `budgetMs` counts from `startedAt`. */
export const PhaseRecord = z.object({
  phase: StartPhase,
  startedAt: z.number(),
  endedAt: z.number().optional(),
  budgetMs: z.number(),
  outcome: z.enum(['running', 'done', 'failed', 'skipped', 'cancelled']),
  /** True while it waits for other starts; its time limit does not run yet. */
  isWaiting: z.boolean().optional(),
  /** What is special about this step, in a few words without a full stop. */
  note: z.string().optional(),
})
export type PhaseRecord = z.infer<typeof PhaseRecord>

const Failure = AppErrorShape.extend({
  /** The last stderr lines, oldest first, masked. */
  stderrTail: z.array(z.string()),
  /** The fields to fix, with CONFIG_INCOMPLETE. */
  fields: z.array(FieldProblem),
  /** The known cause that its log names. */
  cause: FailureCause.optional(),
  /** How to fix a runner that is missing, too old or not running. */
  advice: RunnerAdvice.optional(),
  /** What a stop would still end: remaining processes, or a download in progress. */
  leftover: z.enum(['processes', 'download']).optional(),
})

export const RunStatus = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stopped') }),
  z.object({
    kind: z.literal('starting'),
    phase: StartPhase,
    /** Its current activity, if it reports one or takes longer than usual; without a full stop. */
    activity: z.string().optional(),
  }),
  /** The start continues after the user signs in, at an address or with a code that the server printed. */
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
  /** Failed, and retried automatically (A8, B11). */
  z.object({
    kind: z.literal('backingOff'),
    ...Failure.shape,
    /**
     * `rest`: lost so often that it waits longer before one test start. `unreached`: the server, the network or its platform is
     * unreachable.
     */
    because: z.enum(['failedStart', 'lostSession', 'rest', 'unreached']),
    /** Number of the next retry in this series of failures, from 1. */
    attempt: z.number().int(),
    /** Number of retries before it pauses; missing if unlimited. */
    of: z.number().int().optional(),
    /** Time of the next retry, epoch ms. */
    until: z.number(),
    /** Whether this computer is offline: the retry runs as soon as a network is available. */
    isOffline: z.boolean().optional(),
    /** With `rest`: number of losses within this many ms before its first rest. */
    losses: z.number().int().optional(),
    withinMs: z.number().optional(),
  }),
  /** Failed too often: nothing happens until a user starts it. */
  z.object({ kind: z.literal('paused'), ...Failure.shape, /** A sentence. */ reason: z.string() }),
  /** A remote server that requires a sign-in; nothing is retried automatically. */
  z.object({
    kind: z.literal('signInNeeded'),
    /** Host of the server. */
    host: z.string(),
    message: z.string(),
    hint: z.string().optional(),
  }),
  z.object({ kind: z.literal('stopping') }),
])
export type RunStatus = z.infer<typeof RunStatus>

/** The word for each status on screens and in the tray. */
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

/** A status with a failure. */
export type FailedStatus = Extract<RunStatus, { kind: 'error' | 'backingOff' | 'paused' }>

/** Category of each kind. A new kind must add its own. */
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

/** Whether a server is not running because of a failure. */
export function isFailed(status: RunStatus): status is FailedStatus {
  return COMES_TO[status.kind] === 'failure'
}

/** Whether its session is usable. */
export function isWorking({ kind }: Pick<RunStatus, 'kind'>): boolean {
  return COMES_TO[kind] === 'work'
}

/** Whether a process of the server may be alive. */
export function isActive({ kind }: Pick<RunStatus, 'kind'>): boolean {
  return COMES_TO[kind] === 'work' || COMES_TO[kind] === 'change'
}

/** Whether it runs or waits for its next start. */
export function isWanted(status: Pick<RunStatus, 'kind'>): boolean {
  return isActive(status) || status.kind === 'backingOff'
}
