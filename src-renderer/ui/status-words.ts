import type { ServerView } from '../../src-shared/domain/app-state'
import type { PhaseRecord, RunStatus, StartPhase } from '../../src-shared/domain/run-status'
import { formatAge, formatMoment, formatWhole } from './elapsed'

/** The one word of each status. */
export const STATUS_WORD: Record<RunStatus['kind'], string> = {
  stopped: 'Stopped',
  starting: 'Starting',
  ready: 'Ready',
  degraded: 'Degraded',
  error: 'Error',
  stopping: 'Stopping',
}

/** The one word of each step of a start. */
export const PHASE_WORD: Record<StartPhase, string> = {
  setUp: 'Set up',
  resolve: 'Resolve',
  install: 'Install',
  spawn: 'Spawn',
  handshake: 'Handshake',
  discover: 'Discover',
}

/** The longest that an orderly stop takes before main ends the process, in ms. */
const STOP_MS = 5_000

/** The next step that a status suggests; `null` where nothing needs a person. */
export type SuggestedAction =
  | { readonly kind: 'start' | 'retry' | 'cancel' | 'endNow' | 'viewLog'; readonly label: string }
  | { readonly kind: 'review'; readonly label: string }
  | { readonly kind: 'fillIn'; readonly label: string; readonly fieldKey: string }

/** What the app says of a server: the word, a sentence for its page, a short form for rows, and the next step. */
export type StatusWords = {
  readonly word: string
  readonly sentence: string
  /** Follows the word in a row: "Starting: handshake, 3 s of 30 s". Without full stop. */
  readonly brief: string
  readonly action: SuggestedAction | null
}

type Server = Pick<ServerView, 'status' | 'statusSince' | 'phases' | 'enabled'>

/** The running step of the newest start. */
export function runningPhase(phases: readonly PhaseRecord[]): PhaseRecord | undefined {
  return phases.findLast((phase) => phase.outcome === 'running')
}

function startingWords(server: Server, phase: StartPhase, now: number): StatusWords {
  const running = runningPhase(server.phases)
  const step = PHASE_WORD[running?.phase ?? phase]
  if (running?.isWaiting === true) {
    return {
      word: STATUS_WORD.starting,
      sentence: `${step}, waiting for its turn: others go first.`,
      brief: `${step.toLowerCase()}, waiting for its turn`,
      action: { kind: 'cancel', label: 'Cancel' },
    }
  }
  const clock = running
    ? `, ${formatWhole(now - running.startedAt)} of ${formatWhole(running.budgetMs)}`
    : ''
  return {
    word: STATUS_WORD.starting,
    sentence: `${step}${clock}.`,
    brief: `${step.toLowerCase()}${clock}`,
    action: { kind: 'cancel', label: 'Cancel' },
  }
}

function errorAction(status: Extract<RunStatus, { kind: 'error' }>): SuggestedAction {
  const [field] = status.fields
  if (status.code === 'CONFIG_INCOMPLETE' && field) {
    return { kind: 'fillIn', label: `Fill in ${field.label}`, fieldKey: field.fieldKey }
  }
  if (status.code === 'CONSENT_REQUIRED') return { kind: 'review', label: 'Review command' }
  return { kind: 'retry', label: 'Restart' }
}

/** What a stop is called where there is something to stop; `null` where nothing runs. */
export function stopWord(status: RunStatus): string | null {
  switch (status.kind) {
    case 'starting':
    case 'ready':
    case 'degraded':
      return 'Stop'
    case 'stopping':
      return 'End now'
    case 'error':
      if (status.leftover === undefined) return null
      return status.leftover === 'download' ? 'Stop download' : 'Stop'
    case 'stopped':
      return null
  }
}

/** The message and what to do; where fields are named, the way to them says what to do. */
export function errorSentence({
  message,
  hint,
  fields,
}: Extract<RunStatus, { kind: 'error' }>): string {
  return hint === undefined || fields.length > 0 ? message : `${message} ${hint}`
}

function stoppedWords(server: Server, now: number): StatusWords {
  const moment = formatMoment(server.statusSince, now)
  const said = moment === 'now' ? 'just now' : moment
  const when = server.phases.length > 0 ? said : null
  const off = server.enabled ? '' : ' It does not start with the app.'
  return {
    word: STATUS_WORD.stopped,
    sentence: when === null ? `Not started yet.${off}` : `Stopped ${when}.${off}`,
    brief: when ?? 'not started yet',
    action: { kind: 'start', label: 'Start' },
  }
}

/** Puts a server's status into words; `now` is epoch ms. */
export function statusWords(server: Server, now: number): StatusWords {
  const { status } = server
  const lasted = now - server.statusSince
  switch (status.kind) {
    case 'starting':
      return startingWords(server, status.phase, now)
    case 'ready':
      return {
        word: STATUS_WORD.ready,
        sentence: `Ready for ${formatAge(lasted)}.`,
        brief: `for ${formatAge(lasted)}`,
        action: null,
      }
    case 'degraded':
      return {
        word: STATUS_WORD.degraded,
        sentence: ['Working.', ...status.warnings].join(' '),
        brief: withoutStop(status.warnings[0] ?? 'working with warnings'),
        action: { kind: 'viewLog', label: 'View log' },
      }
    case 'error':
      return {
        word: STATUS_WORD.error,
        sentence: errorSentence(status),
        brief: withoutStop(status.message),
        action: errorAction(status),
      }
    case 'stopping': {
      const clock = `asked to finish, ${formatWhole(lasted)} of ${formatWhole(STOP_MS)}`
      return {
        word: STATUS_WORD.stopping,
        sentence: `A${clock.slice(1)}.`,
        brief: clock,
        action: { kind: 'endNow', label: 'End now' },
      }
    }
    case 'stopped':
      return stoppedWords(server, now)
  }
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/** Whether a server waits for a person. */
export function needsAttention({ status }: Pick<ServerView, 'status'>): boolean {
  return status.kind === 'error' || status.kind === 'degraded'
}
