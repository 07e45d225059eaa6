import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import { errorMessage } from '../../../src-shared/domain/error-message'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import type { RunnerName } from '../../../src-shared/domain/runner-name'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { ProtocolFaults } from '../../../src-shared/domain/running/protocol-faults'
import type { RunStatus, StartPhase } from '../../../src-shared/domain/running/run-status'
import { cleanProse } from '../../../src-shared/domain/server-json/tolerant-reader'
import { InstallError } from '../launch/runners/runner-error'
import { RunnerError } from '../launch/runners/runner-error'
import type { ChildExit } from '../process/spawn/child-process'
import { type CauseClues, signalOf } from './cause-row'
import { ExplainedError } from './explained-error'
import { causeOf } from './failure-causes'
import { type StartPlace, withProgramFolder } from './program-folder'

/** In characters. */
const MAX_MESSAGE_LENGTH = 1_000

/** A start that must not happen because values are missing or invalid (A6). */
export class IncompleteConfigError extends AppError {
  constructor(readonly fields: readonly FieldProblem[]) {
    const labels = fields.map((field) => field.label).join(', ')
    super('CONFIG_INCOMPLETE', `Required values are missing or invalid: ${labels}.`, {
      hint: fields.map((field) => `${field.label}: ${field.message}`).join(' '),
    })
  }
}

/** A server has ended; with its exit and its last stderr lines, oldest first and masked (B7). */
export class ServerEndedError extends AppError {
  constructor(
    reason: AppError,
    readonly exit: ChildExit | undefined,
    readonly stderrTail: readonly string[],
  ) {
    super(reason.code, reason.message, { hint: reason.hint, cause: reason.cause })
  }
}

/** A failure as a status shows it. */
export type FailureText = Omit<Extract<RunStatus, { kind: 'error' }>, 'kind' | 'leftover'>

/** Evidence of a failed start or session; lines are the last ones, oldest first and masked. */
export type FailureClues = {
  readonly stderrTail: readonly string[]
  /** Output of the server, on stderr and stdout, and of the package download. */
  readonly saidLines: readonly string[]
  readonly phase: StartPhase
  readonly runner: RunnerName | undefined
  /** Whether this start has already replaced the package's cached copy. */
  readonly isRepaired: boolean
  readonly place?: StartPlace | undefined
}

/** Failures whose cause is in the lines, if anywhere; the others explain themselves. */
const EXPLAINED_BY_LOG: ReadonlySet<AppErrorCode> = new Set([
  'INSTALL_FAILED',
  'SERVER_EXITED',
  'SERVER_KILLED',
  'HANDSHAKE_FAILED',
  'DISCOVERY_FAILED',
  'PHASE_TIMEOUT',
])

/** The status text of a failed start or a lost session, masked by `redact`. */
export function failureText(
  error: unknown,
  { stderrTail, saidLines: lines, place, ...clues }: FailureClues,
  redact: (text: string) => string,
): FailureText {
  const known = error instanceof AppError ? error : undefined
  const message = known?.message ?? `Unexpected error: ${messageOf(error)}`
  const isSilent = known?.code === 'SERVER_EXITED' && stderrTail.length === 0
  const hint = isSilent ? silenceHint(clues) : known?.hint
  const cause = causeIn(error, { ...clues, lines: [...lines, ...ownReason(error)] })
  return {
    code: known?.code ?? 'INTERNAL',
    message: redact(message),
    hint: hint === undefined ? undefined : redact(hint),
    stderrTail: [...stderrTail],
    cause: cause && place ? withProgramFolder(cause, place) : cause,
    fields: error instanceof IncompleteConfigError ? [...error.fields] : [],
    advice: error instanceof RunnerError ? error.advice : undefined,
  }
}

/** The hint for a server that printed nothing. */
function silenceHint({ runner, phase }: Pick<FailureClues, 'runner' | 'phase'>): string {
  // npm can be the reason only before the first response.
  return runner === 'npx' && phase !== 'discover'
    ? 'The server printed nothing before it exited. Check npm’s own logs in ~/.npm/_logs.'
    : 'The server printed nothing before it exited. Run the command in a terminal to see more.'
}

/** The server's message in a rejected handshake or listing, which may contain the cause. */
function ownReason(error: unknown): string[] {
  const isRejection =
    error instanceof AppError &&
    (error.code === 'HANDSHAKE_FAILED' || error.code === 'DISCOVERY_FAILED')
  return isRejection ? [error.message] : []
}

function causeIn(error: unknown, clues: CauseClues): FailureCause | undefined {
  if (error instanceof ExplainedError || error instanceof RunnerError) return error.failureCause
  if (!(error instanceof AppError) || !EXPLAINED_BY_LOG.has(error.code)) return undefined
  const isEnd = error instanceof ServerEndedError || error instanceof InstallError
  return causeOf({ ...clues, exit: isEnd ? error.exit : undefined })
}

/** When a server or its connection ended, as the end of a sentence. */
const END_MOMENTS = {
  start: ['before it responded', 'before a response arrived'],
  listing: ['while listing its tools', 'while the server was listing its tools'],
  request: ['while handling a request', 'while the server was handling a request'],
  use: ['while in use', 'while in use'],
} as const
export type EndMoment = keyof typeof END_MOMENTS

/** The connection to a remote server is gone. */
export function disconnectedError(host: string, moment: EndMoment): AppError {
  const [, when] = END_MOMENTS[moment]
  return new AppError('REMOTE_UNREACHABLE', `The connection to ${host} ended ${when}.`, {
    hint: 'The network or the server closed the connection. Try again.',
  })
}

/** A server has ended, with its exit code or the signal's name. */
export function exitError(exit: ChildExit | undefined, moment: EndMoment): AppError {
  const [when] = END_MOMENTS[moment]
  if (!exit) {
    return new AppError('SERVER_EXITED', `The server closed its output ${when}.`, {
      hint: 'Patchbay stopped the process. Check the log for the cause.',
    })
  }
  const signal = signalOf(exit)
  if (signal !== undefined) {
    return new AppError('SERVER_KILLED', `The server was ended by ${signal} ${when}.`, {
      hint: 'Something outside Patchbay ended the process, such as a script or the system running out of memory. Restart the server.',
    })
  }
  return new AppError('SERVER_EXITED', `The server exited with code ${exit.code} ${when}.`, {
    hint: 'Check the log for the cause, such as a wrong argument or a missing file.',
  })
}

/** A server rejected the handshake or the listing. */
export function refusalError(phase: 'handshake' | 'discover', cause: unknown): AppError {
  const hint =
    'This is the server’s own message. Check its log and documentation, then start it again.'
  return phase === 'handshake'
    ? new AppError('HANDSHAKE_FAILED', `Initialization failed: ${reasonOf(cause)}.`, {
        cause,
        hint,
      })
    : new AppError(
        'DISCOVERY_FAILED',
        `The server couldn’t list its tools, resources, or prompts: ${reasonOf(cause)}.`,
        {
          cause,
          hint,
        },
      )
}

/** A running server no longer answers health checks. */
export function hangError(): AppError {
  return new AppError('REQUEST_TIMEOUT', 'The server stopped responding, so Patchbay ended it.', {
    hint: 'The server answered no health check. Check the log for the cause.',
  })
}

/** A phase timed out, with the next step to take; `facts`: sentences about what happened so far. */
export function timeoutError(phase: StartPhase, budgetMs: number, facts?: string): AppError {
  const limit = `${String(budgetMs / 1_000)} s`
  const hints: Record<StartPhase, string> = {
    setUp:
      'Run the commands in a terminal to see what they wait for. Slow downloads need a higher download limit in Settings.',
    resolve:
      'The keychain or shell did not respond. Unlock the keychain, then start the server again.',
    repair: 'The copy may be incomplete. Repair it again, or raise the download limit in Settings.',
    install: 'The download continues in the background. Start the server again in a few minutes.',
    spawn: 'The computer is busy, or the program hangs while loading. Start the server again.',
    handshake: 'Check the log. A slow server needs a higher initialization limit under Configure.',
    discover:
      'The server initialized but did not return its lists. Check the log, then start it again.',
  }
  const messages: Record<StartPhase, string> = {
    setUp: `Setup did not finish within ${limit}.`,
    resolve: `The command was not ready within ${limit}.`,
    repair: `The package copy was not repaired within ${limit}.`,
    install: `The package was not installed within ${limit}.`,
    spawn: `The process did not start within ${limit}.`,
    handshake: `The server did not initialize within ${limit}.`,
    discover: `The server did not list its tools within ${limit}.`,
  }
  const message = facts === undefined ? messages[phase] : `${messages[phase]} ${facts}`
  return new AppError('PHASE_TIMEOUT', message, { hint: hints[phase] })
}

/** The text of any error for a status or log line, cleaned and cut because a server may have written it. */
export function messageOf(error: unknown): string {
  return cutProse(errorMessage(error), MAX_MESSAGE_LENGTH)
}

/** Like `messageOf`, for the inside of a sentence: without a final period. */
export function reasonOf(error: unknown): string {
  return messageOf(error).replace(/\.+$/u, '')
}

/** Cleans a server's text; the mark of a cut tells the redactor that a secret may be cut off there. */
export function cutProse(text: string, maxLength: number): string {
  const start = cleanProse(text.slice(0, maxLength))
  return text.length > maxLength ? `${start} … (cut)` : start
}

type FaultMessage = (count: number) => string

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Faults that matter to the user. Stdout noise, late answers, colored lines and batches are only counted and listed. */
const FAULT_MESSAGES: Partial<Record<keyof ProtocolFaults, FaultMessage>> = {
  oversizedMessages: (count) =>
    `${plural(count, 'message was', 'messages were')} larger than the size limit and dropped.`,
  malformedMessages: (count) =>
    `${plural(count, 'message', 'messages')} did not follow the protocol.`,
  malformedAnswers: (count) =>
    `${plural(count, 'response', 'responses')} did not follow the protocol.`,
  unknownAnswers: (count) => `${plural(count, 'response', 'responses')} had an unknown request ID.`,
  duplicateAnswers: (count) =>
    `${plural(count, 'response', 'responses')} repeated an answered request.`,
}

/** Warnings about a server's protocol faults, one sentence each. */
export function faultWarnings(faults: ProtocolFaults): string[] {
  return (Object.keys(FAULT_MESSAGES) as (keyof ProtocolFaults)[]).flatMap((fault) =>
    faults[fault] > 0 ? [FAULT_MESSAGES[fault]?.(faults[fault]) ?? ''] : [],
  )
}
