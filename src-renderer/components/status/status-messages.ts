import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import {
  type FailedStatus,
  isFailed,
  isWorking,
  type PhaseRecord,
  type RunStatus,
  type StartPhase,
} from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { StartPolicy } from '../../../src-shared/domain/tool-choice'
import { RUNNER_OPTIONS } from '../../../src-shared/form/runner-options'
import { counted, formatAge, formatAgo, formatWhole } from '../../ui/text/format'
import { settingsPath } from '../settings/setting-sections'

/** One word for each step of a start. */
export const PHASE_LABEL: Record<StartPhase, string> = {
  setUp: 'Set up',
  resolve: 'Resolve',
  repair: 'Repair',
  install: 'Install',
  spawn: 'Spawn',
  handshake: 'Handshake',
  discover: 'Discover',
}

/** Maximum duration of an orderly stop before main ends the process, in ms. */
const STOP_MS = 5_000

/** The text of a status: a sentence for the server's page, and a short form for rows. */
type StatusText = {
  readonly message: string
  /** Follows the status word in a row: "Starting: handshake, 3 s of 30 s". Without full stop. */
  readonly brief: string
}

type Server = Pick<
  ServerView,
  'status' | 'statusSince' | 'upSince' | 'phases' | 'enabled' | 'reconnecting'
> & {
  /** Counts of the server's offers; missing if irrelevant. */
  readonly counts?: ServerView['counts']
}

function runningPhase(phases: readonly PhaseRecord[]): PhaseRecord | undefined {
  return phases.findLast((phase) => phase.outcome === 'running')
}

/** Returns a running step against its limit: "Handshake, 3 s of 30 s". */
function stepText({ phases }: Pick<Server, 'phases'>, phase: StartPhase, now: number): string {
  const running = runningPhase(phases)
  const step = PHASE_LABEL[running?.phase ?? phase]
  if (running === undefined) return step
  if (running.isWaiting === true) return `${step}, ${running.note ?? 'waiting for other servers'}`
  return `${step}, ${formatWhole(now - running.startedAt)} of ${formatWhole(running.budgetMs)}`
}

/** Returns since when a server works, epoch ms; warnings don't restart the time. */
export function workingSince(props: Pick<ServerView, 'upSince' | 'statusSince'>): number {
  const { upSince, statusSince } = props
  return upSince ?? statusSince
}

function startingText(
  server: Server,
  { phase, activity }: Extract<RunStatus, { kind: 'starting' }>,
  now: number,
): StatusText {
  const step = stepText(server, phase, now)
  if (activity === undefined) return { message: `${step}.`, brief: lowerFirst(step) }
  return { message: `${activity}. ${step}.`, brief: lowerFirst(activity) }
}

function awaitingSignInText(props: Extract<RunStatus, { kind: 'awaitingSignIn' }>): StatusText {
  const { url, code } = props
  const host = url === undefined ? undefined : URL.parse(url)?.host
  const message =
    url === undefined
      ? 'The server waits until you sign in.'
      : 'The server waits until you sign in at its link.'
  const brief = [host && `at ${host}`, code && `code ${code}`].filter(Boolean).join(', ')
  return { message, brief }
}

/** Returns the step of a reconnect; undefined if none is running. */
export function reconnectMessage(
  server: Pick<Server, 'phases' | 'reconnecting'>,
  now: number,
): string | undefined {
  if (server.reconnecting === undefined) return undefined
  return `${stepText(server, server.reconnecting, now)}.`
}

/** The tool list of a server that starts at the first call of one of its tools. */
type FirstUse = {
  /** Epoch ms; missing if the server was never listed. */ readonly listedAt?: number | undefined
}

/** Whether a server that is not running starts automatically at the first call of one of its tools; false after the user stopped it. */
export function waitsForUse(
  { status, enabled, phases }: Pick<Server, 'status' | 'enabled' | 'phases'>,
  starts: StartPolicy | undefined,
): boolean {
  return starts === 'onFirstUse' && enabled && status.kind === 'stopped' && phases.length === 0
}

function waitingText({ listedAt }: FirstUse, now: number): StatusText {
  if (listedAt === undefined)
    return {
      message: 'Starts on demand. Start the server once to list its tools.',
      brief: 'starts on demand, not listed yet',
    }
  const listed = formatAgo(listedAt, now)
  return {
    message: `Starts on demand. Tools last listed ${listed}.`,
    brief: `starts on demand, listed ${listed}`,
  }
}

function stoppedText(server: Server, now: number): StatusText {
  const when = server.phases.length > 0 ? formatAgo(server.statusSince, now) : null
  const off = server.enabled ? '' : ' Turned off.'
  return {
    message: when === null ? `Not started yet.${off}` : `Stopped ${when}.${off}`,
    brief: when ?? 'not started yet',
  }
}

function failedText(status: FailedStatus, now: number): StatusText {
  switch (status.kind) {
    case 'error':
      return { message: failedMessage(status), brief: withoutPeriod(status.message) }
    case 'backingOff':
      return {
        message: `${status.message} ${nextRetryMessage(status, now)}`,
        brief: nextRetryBrief(status, now),
      }
    case 'paused':
      return { message: pausedMessage(status), brief: withoutPeriod(status.reason) }
  }
}

function workingText(server: Server, now: number): StatusText {
  const { status, reconnecting } = server
  const suffix = reconnecting === undefined ? '' : ', reconnecting'
  if (status.kind === 'degraded') {
    return {
      message: ['Working.', ...status.warnings].join(' '),
      brief: `${withoutPeriod(status.warnings[0] ?? 'working with warnings')}${suffix}`,
    }
  }
  const age = formatAge(now - workingSince(server))
  if (offersNothing(server))
    return {
      message: `Ready for ${age}, but the server offers no tools, resources, or prompts. Check its configuration for a missing key.`,
      brief: `no tools, resources, or prompts${suffix}`,
    }
  return { message: `Ready for ${age}.`, brief: `for ${age}${suffix}` }
}

/** Returns the text of a server's status; `now` is epoch ms, and `firstUse` is set if the server waits for its first use. */
export function statusText(server: Server, now: number, firstUse?: FirstUse): StatusText {
  const { status } = server
  if (firstUse) return waitingText(firstUse, now)
  switch (status.kind) {
    case 'starting':
      return startingText(server, status, now)
    case 'awaitingSignIn':
      return awaitingSignInText(status)
    case 'ready':
    case 'degraded':
      return workingText(server, now)
    case 'error':
    case 'backingOff':
    case 'paused':
      return failedText(status, now)
    case 'stopping': {
      const lasted = formatWhole(now - server.statusSince)
      const clock = `Shutting down, ${lasted} of ${formatWhole(STOP_MS)}`
      return { message: `${clock}.`, brief: lowerFirst(clock) }
    }
    case 'signInNeeded': {
      const { message, hint, host } = status
      return { message: [message, hint].filter(Boolean).join(' '), brief: `at ${host}` }
    }
    case 'stopped':
      return stoppedText(server, now)
  }
}

function offersNothing({ counts }: Pick<Server, 'counts'>): boolean {
  return counts !== undefined && Object.values(counts).every((count) => count === 0)
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}

function withoutPeriod(message: string): string {
  return message.replace(/\.$/, '')
}

/** Whether a server waits for the user. A server in backoff retries automatically. */
export function waitsForUser(server: Pick<ServerView, 'status' | 'signInOffer'>): boolean {
  const { kind } = server.status
  return (
    ['error', 'paused', 'signInNeeded', 'awaitingSignIn', 'degraded'].includes(kind) ||
    offersSignIn(server)
  )
}

/** Whether a server works, but rejected a request that needs a sign-in. */
export function offersSignIn(props: Pick<ServerView, 'status' | 'signInOffer'>): boolean {
  const { status, signInOffer } = props
  return signInOffer !== undefined && isWorking(status)
}

type BackingOff = Extract<RunStatus, { kind: 'backingOff' }>
type Paused = Extract<RunStatus, { kind: 'paused' }>

/**
 * Returns the known cause and the message, else the message and the hint. An error with fields needs no hint, because the link to them says
 * what to do.
 */
function failedMessage({ cause, message, hint, fields }: FailedStatus): string {
  if (cause !== undefined) return `${cause.message} ${message}`
  return hint === undefined || fields.length > 0 ? message : `${message} ${hint}`
}

/** Returns the time until a moment in whole seconds: `in 12 s`, then `now`. */
export function untilText(until: number, now: number): string {
  const seconds = Math.ceil((until - now) / 1_000)
  return seconds <= 0 ? 'now' : `in ${formatWhole(seconds * 1_000)}`
}

function retryText({ attempt, of, until, because }: BackingOff, now: number): string {
  const when = untilText(until, now)
  const totalText = of === undefined ? '' : ` of ${of}`
  if (because !== 'rest') return `next try ${when}, attempt ${attempt}${totalText}`
  return attempt === 1 ? `test start ${when}` : `test start ${when}, attempt ${attempt}${totalText}`
}

function coolDownText({ attempt, losses, withinMs }: BackingOff): string {
  if (attempt > 1) return 'Cooling down again after a failed test start.'
  if (losses === undefined || withinMs === undefined)
    return 'Cooling down after repeated disconnects.'
  return `Cooling down after ${counted(losses, 'disconnect')} within ${formatWhole(withinMs)}.`
}

/** Returns the next retry of a server: "Next try in 12 s, attempt 3 of 5." */
export function nextRetryMessage(status: BackingOff, now: number): string {
  const text = retryText(status, now)
  const message = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  if (status.isOffline === true)
    return `This computer is offline. ${message}, or as soon as you’re back online.`
  return status.because === 'rest' ? `${coolDownText(status)} ${message}.` : `${message}.`
}

/** Returns the next retry for a row, without full stop: "next try in 12 s, attempt 3 of 5". */
export function nextRetryBrief(status: BackingOff, now: number): string {
  const text = retryText(status, now)
  if (status.isOffline === true) return `offline, ${text}`
  return status.because === 'rest' ? `cooling down, ${text}` : text
}

/** Returns why a server is paused, and its last error. */
export function pausedMessage(status: Paused): string {
  return `${status.reason} ${failedMessage(status)}`
}

/** The next step that a status suggests: a place to open or a request to main. */
export type SuggestedAction = { readonly label: string } & (
  | { readonly kind: 'start' | 'retry' | 'cancel' | 'endNow' | 'signIn' | 'repair' }
  | { readonly kind: 'pickPort'; readonly taken: number | undefined }
  /** `place` is relative to the server's page, or to the app's root if it starts with a slash. */
  | { readonly kind: 'open'; readonly place: string }
)

function toOpen(label: string, place: string): SuggestedAction {
  return { kind: 'open', label, place }
}

/** Returns the place of one field in a server's form, relative to the server's page, with suggested values. */
export function formPath(field: string, values: readonly string[] = []): string {
  const proposed = values.map((value) => `&value=${encodeURIComponent(value)}`)
  return `configure?field=${encodeURIComponent(field)}${proposed.join('')}`
}

const NETWORK = toOpen('Open network settings', settingsPath('network'))
export const VIEW_LOG = toOpen('View log', 'log')
export const SIGN_IN: SuggestedAction = { kind: 'signIn', label: 'Sign in' }
const RETRY = { error: 'Restart', backingOff: 'Try now', paused: 'Start' } as const

function failedAction(status: FailedStatus): SuggestedAction {
  const [field] = status.fields
  if (status.code === 'CONFIG_INCOMPLETE' && field)
    return toOpen(`Fill in ${field.label}`, formPath(field.fieldKey))
  if (status.code === 'REPAIR_FAILED') return { kind: 'repair', label: 'Repair again' }
  if (status.code === 'CONSENT_REQUIRED') return toOpen('Review command', 'configure')
  return { kind: 'retry', label: RETRY[status.kind] }
}

/** Returns the step that fixes a known cause, where a retry would not help; `null` if the cause is unknown. */
export function causeAction(status: RunStatus): SuggestedAction | null {
  if (!isFailed(status)) return null
  if (status.cause) return stepAction(status.cause.step)
  return status.code === 'REMOTE_UNTRUSTED' ? NETWORK : null
}

function stepAction(step: FailureCause['step']): SuggestedAction {
  switch (step.kind) {
    case 'network':
      return NETWORK
    case 'viewLog':
      return VIEW_LOG
    case 'pickPort':
      return { kind: 'pickPort', label: 'Pick a free port', taken: step.taken }
    case 'addOptions':
      return toOpen(`Add ${step.options.join(' ')}`, formPath(RUNNER_OPTIONS, step.options))
    case 'setCommand':
      return toOpen(`Use ${step.argv.join(' ')}`, formPath('command', step.argv))
    case 'runInFolder':
      return toOpen('Run in this folder', formPath('cwd', [step.folder]))
    case 'useAddress':
      return toOpen('Use this address', formPath('url', [step.address]))
    case 'addHttp':
      return toOpen('Add as HTTP server', `/custom-server?url=${encodeURIComponent(step.url)}`)
    case 'setUpInTerminal':
      return toOpen('Set it up in a terminal', 'settings')
    case 'repair':
      return { kind: 'repair', label: 'Repair and restart' }
    case 'setRunner':
      return toOpen(`Set ${step.runner} path`, `/settings?runner=${step.runner}`)
    case 'configure': {
      const { variable } = step
      if (variable === undefined) return toOpen('Open configuration', 'configure')
      return toOpen(`Fill in ${variable}`, formPath(`env_${variable}`))
    }
  }
}

const CANCEL: SuggestedAction = { kind: 'cancel', label: 'Cancel' }
const STEPS: Readonly<Record<Exclude<RunStatus, FailedStatus>['kind'], SuggestedAction | null>> = {
  stopped: { kind: 'start', label: 'Start' },
  starting: CANCEL,
  awaitingSignIn: CANCEL,
  ready: null,
  degraded: VIEW_LOG,
  signInNeeded: SIGN_IN,
  stopping: { kind: 'endNow', label: 'End now' },
}

/** Returns the next step of a status; `null` if the user need not do anything. */
export function suggestedAction(status: RunStatus): SuggestedAction | null {
  return isFailed(status) ? failedAction(status) : STEPS[status.kind]
}

/** Returns the label of the start action if nothing runs. */
export function startLabel({ kind }: RunStatus): string {
  return kind === 'error' || kind === 'backingOff' ? RETRY[kind] : 'Start'
}

const STOPS: Readonly<Partial<Record<RunStatus['kind'], string>>> = {
  ...{ starting: 'Cancel', awaitingSignIn: 'Cancel', ready: 'Stop', degraded: 'Stop' },
  ...{ stopping: 'End now', backingOff: 'Stop retrying' },
}

/** Returns the label of the stop action; `null` if nothing runs or is retried. */
export function stopLabel(status: RunStatus): string | null {
  if ((status.kind === 'error' || status.kind === 'paused') && status.leftover !== undefined)
    return status.leftover === 'download' ? 'Stop download' : 'Stop'
  return STOPS[status.kind] ?? null
}
