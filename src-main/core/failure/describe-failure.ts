import { AppError, type AppErrorCode } from '../../../src-shared/domain/app-error'
import type { FieldProblem } from '../../../src-shared/domain/installation/launch-plan'
import type { RunnerName } from '../../../src-shared/domain/runner-name'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { RunStatus, StartPhase } from '../../../src-shared/domain/running/run-status'
import { cleanProse } from '../../../src-shared/domain/server-json/tolerant-reader'
import { RunnerError } from '../launch/runners/runner-error'
import type { ChildExit } from '../process/spawn/child-process'
import type { CauseClues } from './cause-row'
import { causeOf } from './failure-causes'
import { signalOf } from './signal-of'

/** In characters. */
const LONGEST_MESSAGE = 1_000

/** A start that must not happen because values are missing or wrong (A6). */
export class IncompleteConfigError extends AppError {
  constructor(readonly fields: readonly FieldProblem[]) {
    const labels = fields.map((field) => field.label).join(', ')
    super(
      'CONFIG_INCOMPLETE',
      `Not started: ${labels} ${fields.length === 1 ? 'needs' : 'need'} a value.`,
      {
        hint: fields.map((field) => `${field.label}: ${field.message}`).join(' '),
      },
    )
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
  /** Of stderr and of what fetched the package. */
  readonly saidLines: readonly string[]
  readonly phase: StartPhase
  readonly runner: RunnerName | undefined
  /** Whether the copy that its runner keeps was made anew in this very start. */
  readonly isRepaired: boolean
}

/** The failures whose cause is in the lines, if anywhere; the others say themselves what they come from. */
const TOLD_BY_LINES: ReadonlySet<AppErrorCode> = new Set([
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
  { stderrTail, saidLines: lines, ...clues }: FailureClues,
  redact: (text: string) => string,
): FailureText {
  const known = error instanceof AppError ? error : undefined
  const message = known?.message ?? `An unexpected failure: ${messageOf(error)}`
  const isSilent = known?.code === 'SERVER_EXITED' && stderrTail.length === 0
  const hint = isSilent ? silenceHint(clues.runner) : known?.hint
  return {
    code: known?.code ?? 'INTERNAL',
    message: redact(message),
    hint: hint === undefined ? undefined : redact(hint),
    stderrTail: [...stderrTail],
    cause: causeIn(error, { ...clues, lines: [...lines, ...ownReason(error)] }),
    fields: error instanceof IncompleteConfigError ? [...error.fields] : [],
    advice: error instanceof RunnerError ? error.advice : undefined,
  }
}

/** What an exited server that printed nothing on stderr leaves to look at. */
function silenceHint(runner: RunnerName | undefined): string {
  return runner === 'npx'
    ? 'The server printed nothing before it exited. npm keeps logs of its own in ~/.npm/_logs.'
    : 'The server printed nothing before it exited. Run its command in a terminal to see more.'
}

/** The server's own words in a rejected handshake or listing, which may name the cause. */
function ownReason(error: unknown): string[] {
  const isRejection =
    error instanceof AppError &&
    (error.code === 'HANDSHAKE_FAILED' || error.code === 'DISCOVERY_FAILED')
  return isRejection ? [error.message] : []
}

function causeIn(error: unknown, clues: CauseClues): FailureCause | undefined {
  if (!(error instanceof AppError) || !TOLD_BY_LINES.has(error.code)) return undefined
  const exit = error instanceof ServerEndedError ? error.exit : undefined
  return causeOf({ ...clues, exit })
}

/** Why a server is gone: its exit code, or the signal that ended it, by name. */
export function exitError(exit: ChildExit | undefined, when: string): AppError {
  if (!exit) {
    return new AppError('SERVER_EXITED', `The server closed its end of the line ${when}.`, {
      hint: 'It was ended, as nothing more can be heard from it. Its last lines may say why.',
    })
  }
  const signal = signalOf(exit)
  if (signal !== undefined) {
    return new AppError('SERVER_KILLED', `The server was ended by ${signal} ${when}.`, {
      hint: 'Something outside Patchbay ended it: a person, a script, or the system when memory runs out. Restart it.',
    })
  }
  const code = String(exit.code)
  return new AppError('SERVER_EXITED', `The server exited with code ${code} ${when}.`, {
    hint: 'Its last lines usually say why: a wrong argument, a missing variable, a file that is not there.',
  })
}

/** What a server that is there answered instead of what was asked of it. */
export function refusalError(phase: 'handshake' | 'discover', cause: unknown): AppError {
  const said = messageOf(cause).replace(/\.+$/u, '')
  const hint = 'The words are its own. Look at its log and its documentation, then start again.'
  return phase === 'handshake'
    ? new AppError('HANDSHAKE_FAILED', `The handshake failed: ${said}.`, { cause, hint })
    : new AppError('DISCOVERY_FAILED', `The server could not list what it offers: ${said}.`, {
        cause,
        hint,
      })
}

/** A server that runs and answers no health check any more. */
export function hangError(): AppError {
  return new AppError('REQUEST_TIMEOUT', 'The server stopped answering and was ended.', {
    hint: 'It answered no health check. Its last lines may say why.',
  })
}

/** Which limit was reached, with the next step to take; `facts`: what was seen until then, as sentences. */
export function timeoutError(phase: StartPhase, budgetMs: number, facts?: string): AppError {
  const limit = `${String(budgetMs / 1_000)} s`
  const hints: Record<StartPhase, string> = {
    setUp:
      'It was ended. Run its commands in a terminal to see what they wait for, or raise the download limit under Settings.',
    resolve: 'The keychain or the shell did not answer. Unlock the keychain, then start again.',
    repair:
      'The copy may be gone, and half of the new one there. Repair it again, or raise the download limit under Settings.',
    install: 'The download goes on. Start again in a while: what has come is kept.',
    spawn: 'The system is very busy, or the program hangs while it is loaded. Start again.',
    handshake: 'Look at its log. A slow server needs a higher handshake limit under Configure.',
    discover: 'It shook hands, but its lists did not come. Look at its log, then start again.',
  }
  const messages: Record<StartPhase, string> = {
    setUp: `The setup did not finish within ${limit}.`,
    resolve: `The command could not be prepared within ${limit}.`,
    repair: `The copy of the package was not repaired within ${limit}.`,
    install: `The package was not installed within ${limit}.`,
    spawn: `The process did not start within ${limit}.`,
    handshake: `The server did not answer the handshake within ${limit}.`,
    discover: `The server did not list its tools within ${limit}.`,
  }
  const message = facts === undefined ? messages[phase] : `${messages[phase]} ${facts}`
  return new AppError('PHASE_TIMEOUT', message, { hint: hints[phase] })
}

/** The text of anything thrown, for a status or a log line; a server may have made it up, so it is cleaned and cut. */
export function messageOf(error: unknown): string {
  return cutProse(error instanceof Error ? error.message : String(error), LONGEST_MESSAGE)
}

/** A server's words, cleaned; the mark of a cut tells the redactor that a secret may have lost its end there. */
export function cutProse(text: string, longest: number): string {
  const start = cleanProse(text.slice(0, longest))
  return text.length > longest ? `${start} … (cut)` : start
}
