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
const LONGEST_MESSAGE = 1_000

/** A start that must not happen because values are missing or wrong (A6). */
export class IncompleteConfigError extends AppError {
  constructor(readonly fields: readonly FieldProblem[]) {
    const labels = fields.map((field) => field.label).join(', ')
    super('CONFIG_INCOMPLETE', `Required values are missing or invalid: ${labels}.`, {
      hint: fields.map((field) => `${field.label}: ${field.message}`).join(' '),
    })
  }
}

/** The end of a server, with how it ended and its last stderr lines, oldest first and masked (B7). */
export class ServerEndedError extends AppError {
  constructor(
    reason: AppError,
    readonly exit: ChildExit | undefined,
    readonly stderrTail: readonly string[],
  ) {
    super(reason.code, reason.message, { hint: reason.hint, cause: reason.cause })
  }
}

/** A failure as a status tells it. */
export type FailureText = Omit<Extract<RunStatus, { kind: 'error' }>, 'kind' | 'leftover'>

/** What is known of a start or session that failed; lines are its last ones, oldest first and masked. */
export type FailureClues = {
  readonly stderrTail: readonly string[]
  /** Of the server, on stderr and stdout, and of what fetched the package. */
  readonly saidLines: readonly string[]
  readonly phase: StartPhase
  readonly runner: RunnerName | undefined
  /** Whether the copy that its runner keeps was made again in this very start. */
  readonly isRepaired: boolean
  readonly place?: StartPlace | undefined
}

/** The failures whose cause is in the lines, if anywhere; the others say themselves what they come from. */
const EXPLAINED_BY_LOG: ReadonlySet<AppErrorCode> = new Set([
  'INSTALL_FAILED',
  'SERVER_EXITED',
  'SERVER_KILLED',
  'HANDSHAKE_FAILED',
  'DISCOVERY_FAILED',
  'PHASE_TIMEOUT',
])

/** What a status tells of a failed start or a lost session; every text is masked by `redact`. */
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

/** What an exited server that printed nothing leaves to look at. */
function silenceHint({ runner, phase }: Pick<FailureClues, 'runner' | 'phase'>): string {
  // npm can only be the reason while nothing has answered.
  return runner === 'npx' && phase !== 'discover'
    ? 'The server printed nothing before it exited. Check npm’s own logs in ~/.npm/_logs.'
    : 'The server printed nothing before it exited. Run the command in a terminal to see more.'
}

/** The server's own words in a rejected handshake or listing, which may name the cause. */
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

/** When a server or its connection ended. */
export type EndMoment = 'start' | 'listing' | 'request' | 'use'

type EndSentences = Readonly<Record<EndMoment, (detail: string) => string>>

const CLOSED: EndSentences = {
  start: () => 'The server closed its output before it responded.',
  listing: () => 'The server closed its output while listing its tools.',
  request: () => 'The server closed its output while handling a request.',
  use: () => 'The server closed its output while in use.',
}
const KILLED: EndSentences = {
  start: (signal) => `The server was ended by ${signal} before it responded.`,
  listing: (signal) => `The server was ended by ${signal} while listing its tools.`,
  request: (signal) => `The server was ended by ${signal} while handling a request.`,
  use: (signal) => `The server was ended by ${signal} while in use.`,
}
const EXITED: EndSentences = {
  start: (code) => `The server exited with code ${code} before it responded.`,
  listing: (code) => `The server exited with code ${code} while listing its tools.`,
  request: (code) => `The server exited with code ${code} while handling a request.`,
  use: (code) => `The server exited with code ${code} while in use.`,
}
const DISCONNECTED: EndSentences = {
  start: (host) => `The connection to ${host} ended before a response arrived.`,
  listing: (host) => `The connection to ${host} ended while the server was listing its tools.`,
  request: (host) => `The connection to ${host} ended while the server was handling a request.`,
  use: (host) => `The connection to ${host} ended while in use.`,
}

/** Why the connection to a remote server is gone. */
export function disconnectedError(host: string, moment: EndMoment): AppError {
  return new AppError('REMOTE_UNREACHABLE', DISCONNECTED[moment](host), {
    hint: 'The network or the server closed the connection. Try again.',
  })
}

/** Why a server is gone: its exit code, or the signal that ended it, by name. */
export function exitError(exit: ChildExit | undefined, moment: EndMoment): AppError {
  if (!exit) {
    return new AppError('SERVER_EXITED', CLOSED[moment](''), {
      hint: 'Patchbay stopped the process. Check the log for the cause.',
    })
  }
  const signal = signalOf(exit)
  if (signal !== undefined) {
    return new AppError('SERVER_KILLED', KILLED[moment](signal), {
      hint: 'Something outside Patchbay ended the process, such as a script or the system running out of memory. Restart the server.',
    })
  }
  return new AppError('SERVER_EXITED', EXITED[moment](String(exit.code)), {
    hint: 'Check the log for the cause, such as a wrong argument or a missing file.',
  })
}

/** What a server that is there answered instead of what was asked of it. */
export function refusalError(phase: 'handshake' | 'discover', cause: unknown): AppError {
  const said = messageOf(cause).replace(/\.+$/u, '')
  const hint =
    'This is the server’s own message. Check its log and documentation, then start it again.'
  return phase === 'handshake'
    ? new AppError('HANDSHAKE_FAILED', `Initialization failed: ${said}.`, { cause, hint })
    : new AppError(
        'DISCOVERY_FAILED',
        `The server couldn’t list its tools, resources, or prompts: ${said}.`,
        {
          cause,
          hint,
        },
      )
}

/** A server that runs and answers no health check any more. */
export function hangError(): AppError {
  return new AppError('REQUEST_TIMEOUT', 'The server stopped responding, so Patchbay ended it.', {
    hint: 'The server answered no health check. Check the log for the cause.',
  })
}

/** Which limit was reached, with the next step to take; `facts`: what was seen until then, as sentences. */
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

/** The text of anything thrown, for a status or a log line; a server may have made it up, so it is cleaned and cut. */
export function messageOf(error: unknown): string {
  return cutProse(errorMessage(error), LONGEST_MESSAGE)
}

/** A server's words, cleaned; the mark of a cut tells the redactor that a secret may have lost its end there. */
export function cutProse(text: string, longest: number): string {
  const start = cleanProse(text.slice(0, longest))
  return text.length > longest ? `${start} … (cut)` : start
}

type Sentence = (count: number) => string

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Faults that cost the user something. Text on stdout, a late answer, a colored line or a batch is counted and listed only. */
const SENTENCES: Partial<Record<keyof ProtocolFaults, Sentence>> = {
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

/** The warnings that a server's protocol faults deserve, one sentence each. */
export function faultWarnings(faults: ProtocolFaults): string[] {
  return (Object.keys(SENTENCES) as (keyof ProtocolFaults)[]).flatMap((fault) =>
    faults[fault] > 0 ? [SENTENCES[fault]?.(faults[fault]) ?? ''] : [],
  )
}
