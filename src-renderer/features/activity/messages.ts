import type { Call, CallOutcome } from '../../../src-shared/domain/agents/activity'
import type { StatusKind } from '../../ui/marks/status-glyph'

type OutcomeAppearance = {
  readonly word: string
  /** Status whose icon and color the outcome uses. */
  readonly glyph: StatusKind
  /** What happened, without the call's own reason. */
  readonly message: string
}

/** Label, icon and sentence of each outcome. */
export const OUTCOMES: Readonly<Record<CallOutcome, OutcomeAppearance>> = {
  ok: { word: 'Succeeded', glyph: 'ready', message: 'The server returned a result.' },
  toolError: { word: 'Tool error', glyph: 'degraded', message: 'The tool reported an error.' },
  refused: { word: 'Rejected', glyph: 'error', message: 'The server rejected the request.' },
  rejected: {
    word: 'Not sent',
    glyph: 'stopping',
    message: 'Invalid request. Not sent to the server.',
  },
  denied: { word: 'Denied', glyph: 'paused', message: 'Not approved. Not sent to the server.' },
  cancelled: { word: 'Canceled', glyph: 'stopped', message: 'Canceled by the app.' },
  timedOut: {
    word: 'Timed out',
    glyph: 'backingOff',
    message: 'The server didn’t respond in time.',
  },
  unreachable: {
    word: 'Unreachable',
    glyph: 'error',
    message: 'The server wasn’t running or stopped before it responded.',
  },
}

/** Returns the method of a call that is not a tool call. */
export function otherMethod({ method }: Call): string | undefined {
  return method === 'tools/call' ? undefined : method
}
