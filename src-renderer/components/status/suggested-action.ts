import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import {
  type FailedStatus,
  isFailed,
  type RunStatus,
} from '../../../src-shared/domain/running/run-status'
import { RUNNER_OPTIONS } from '../../../src-shared/form/runner-options'
import { settingsPlace } from '../settings/setting-sections'

/** The next step that a status suggests: a place to open, or what to ask of main. */
export type SuggestedAction = { readonly label: string } & (
  | { readonly kind: 'start' | 'retry' | 'cancel' | 'endNow' | 'signIn' | 'repair' }
  | { readonly kind: 'pickPort'; readonly taken: number | undefined }
  /** `place` is below the page of the server; from the root of the app where it begins with a slash. */
  | { readonly kind: 'open'; readonly place: string }
)

function toOpen(label: string, place: string): SuggestedAction {
  return { kind: 'open', label, place }
}

/** The form of a server at one of its fields, below its page, with values proposed for that. */
export function formPlace(field: string, values: readonly string[] = []): string {
  const proposed = values.map((value) => `&value=${encodeURIComponent(value)}`)
  return `configure?field=${encodeURIComponent(field)}${proposed.join('')}`
}

const NETWORK = toOpen('Open network settings', settingsPlace('network'))
export const VIEW_LOG = toOpen('View log', 'log')
export const SIGN_IN: SuggestedAction = { kind: 'signIn', label: 'Sign in' }
const RETRY = { error: 'Restart', backingOff: 'Try now', paused: 'Start' } as const

function failedAction(status: FailedStatus): SuggestedAction {
  const [field] = status.fields
  if (status.code === 'CONFIG_INCOMPLETE' && field)
    return toOpen(`Fill in ${field.label}`, formPlace(field.fieldKey))
  if (status.code === 'REPAIR_FAILED') return { kind: 'repair', label: 'Repair again' }
  if (status.code === 'CONSENT_REQUIRED') return toOpen('Review command', 'configure')
  return { kind: 'retry', label: RETRY[status.kind] }
}

/** The step that a known cause leads to, which fixes more than another try; `null` where none is known. */
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
      return toOpen(`Add ${step.options.join(' ')}`, formPlace(RUNNER_OPTIONS, step.options))
    case 'setCommand':
      return toOpen(`Use ${step.words.join(' ')}`, formPlace('command', step.words))
    case 'runInFolder':
      return toOpen('Run in this folder', formPlace('cwd', [step.folder]))
    case 'useAddress':
      return toOpen('Use this address', formPlace('url', [step.address]))
    case 'addHttp':
      return toOpen('Add as HTTP server', `/by-hand?url=${encodeURIComponent(step.url)}`)
    case 'setUpInTerminal':
      return toOpen('Set it up in a terminal', 'settings')
    case 'repair':
      return { kind: 'repair', label: 'Repair and restart' }
    case 'setRunner':
      return toOpen(`Set ${step.runner} path`, `/settings?runner=${step.runner}`)
    case 'configure': {
      const { variable } = step
      if (variable === undefined) return toOpen('Open configuration', 'configure')
      return toOpen(`Fill in ${variable}`, formPlace(`env_${variable}`))
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

/** The next step of a status; `null` where nothing needs a user. */
export function suggestedAction(status: RunStatus): SuggestedAction | null {
  return isFailed(status) ? failedAction(status) : STEPS[status.kind]
}

/** What a start is called where nothing runs. */
export function startWord({ kind }: RunStatus): string {
  return kind === 'error' || kind === 'backingOff' ? RETRY[kind] : 'Start'
}

const STOPS: Readonly<Partial<Record<RunStatus['kind'], string>>> = {
  ...{ starting: 'Cancel', awaitingSignIn: 'Cancel', ready: 'Stop', degraded: 'Stop' },
  ...{ stopping: 'End now', backingOff: 'Stop retrying' },
}

/** What a stop is called where there is something to stop; `null` where nothing runs or is tried. */
export function stopWord(status: RunStatus): string | null {
  if ((status.kind === 'error' || status.kind === 'paused') && status.leftover !== undefined)
    return status.leftover === 'download' ? 'Stop download' : 'Stop'
  return STOPS[status.kind] ?? null
}
