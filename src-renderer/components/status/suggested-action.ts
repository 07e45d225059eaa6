import type { RunnerName } from '../../../src-shared/domain/runner-name'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import {
  type FailedStatus,
  isFailed,
  type RunStatus,
} from '../../../src-shared/domain/running/run-status'

/** The next step that a status suggests. */
export type SuggestedAction =
  | {
      readonly kind: 'start' | 'retry' | 'cancel' | 'endNow' | 'viewLog' | 'signIn' | 'repair'
      readonly label: string
    }
  | {
      readonly kind: 'review' | 'configure' | 'network' | 'viewServer' | 'setUpInTerminal'
      readonly label: string
    }
  | { readonly kind: 'setCommand'; readonly label: string; readonly words: readonly string[] }
  | { readonly kind: 'runInFolder'; readonly label: string; readonly folder: string }
  | { readonly kind: 'addHttp'; readonly label: string; readonly url: string }
  | { readonly kind: 'pickPort'; readonly label: string; readonly taken: number | undefined }
  | {
      readonly kind: 'addOptions'
      readonly label: string
      readonly options: readonly string[]
    }
  | { readonly kind: 'useAddress'; readonly label: string; readonly address: string }
  | { readonly kind: 'setRunner'; readonly label: string; readonly runner: RunnerName }
  | { readonly kind: 'fillIn'; readonly label: string; readonly fieldKey: string }

/** To the part of the settings about proxies and certificates. */
const NETWORK: SuggestedAction = { kind: 'network', label: 'Open network settings' }
export const VIEW_LOG: SuggestedAction = { kind: 'viewLog', label: 'View log' }
export const SIGN_IN: SuggestedAction = { kind: 'signIn', label: 'Sign in' }
const RETRY = { error: 'Restart', backingOff: 'Try now', paused: 'Start' } as const

function failedAction(status: FailedStatus): SuggestedAction {
  const [field] = status.fields
  if (status.code === 'CONFIG_INCOMPLETE' && field) {
    return { kind: 'fillIn', label: `Fill in ${field.label}`, fieldKey: field.fieldKey }
  }
  if (status.code === 'REPAIR_FAILED') return { kind: 'repair', label: 'Repair again' }
  if (status.code === 'CONSENT_REQUIRED') return { kind: 'review', label: 'Review command' }
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
      return { kind: 'addOptions', label: `Add ${step.options.join(' ')}`, options: step.options }
    case 'setCommand':
      return { kind: 'setCommand', label: `Use ${step.words.join(' ')}`, words: step.words }
    case 'runInFolder':
      return { kind: 'runInFolder', label: 'Run in this folder', folder: step.folder }
    case 'useAddress':
      return { kind: 'useAddress', label: 'Use this address', address: step.address }
    case 'addHttp':
      return { kind: 'addHttp', label: 'Add as HTTP server', url: step.url }
    case 'setUpInTerminal':
      return { kind: 'setUpInTerminal', label: 'Set it up in a terminal' }
    case 'repair':
      return { kind: 'repair', label: 'Repair and restart' }
    case 'setRunner':
      return {
        kind: 'setRunner',
        label: `Set ${step.runner} path`,
        runner: step.runner,
      }
    case 'configure': {
      const { variable } = step
      if (variable === undefined) return { kind: 'configure', label: 'Open configuration' }
      return { kind: 'fillIn', label: `Fill in ${variable}`, fieldKey: `env_${variable}` }
    }
  }
}

/** The next step of a status; `null` where nothing needs a user. */
export function suggestedAction(status: RunStatus): SuggestedAction | null {
  switch (status.kind) {
    case 'stopped':
      return { kind: 'start', label: 'Start' }
    case 'starting':
    case 'awaitingSignIn':
      return { kind: 'cancel', label: 'Cancel' }
    case 'ready':
      return null
    case 'degraded':
      return VIEW_LOG
    case 'error':
    case 'backingOff':
    case 'paused':
      return failedAction(status)
    case 'signInNeeded':
      return SIGN_IN
    case 'stopping':
      return { kind: 'endNow', label: 'End now' }
  }
}

/** What a start is called where nothing runs. */
export function startWord({ kind }: RunStatus): string {
  return kind === 'error' || kind === 'backingOff' ? RETRY[kind] : 'Start'
}

/** What a stop is called where there is something to stop; `null` where nothing runs or is tried. */
export function stopWord(status: RunStatus): string | null {
  switch (status.kind) {
    case 'starting':
    case 'awaitingSignIn':
      return 'Cancel'
    case 'ready':
    case 'degraded':
      return 'Stop'
    case 'stopping':
      return 'End now'
    case 'backingOff':
      return 'Stop retrying'
    case 'error':
    case 'paused':
      if (status.leftover === undefined) return null
      return status.leftover === 'download' ? 'Stop download' : 'Stop'
    case 'stopped':
    case 'signInNeeded':
      return null
  }
}
