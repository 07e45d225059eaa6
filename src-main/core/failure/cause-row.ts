import { constants } from 'node:os'

import type { RunnerName } from '../../../src-shared/domain/runner-name'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { StartPhase } from '../../../src-shared/domain/running/run-status'
import type { ChildExit } from '../process/spawn/child-process'

/** The evidence for a cause. */
export type CauseClues = {
  /** Masked, oldest first. */
  readonly lines: readonly string[]
  readonly exit?: ChildExit | undefined
  readonly phase?: StartPhase | undefined
  readonly runner?: RunnerName | undefined
  /** Whether this start has already replaced the package's cached copy. */
  readonly isRepaired?: boolean | undefined
}

/** A known cause: matches a line of a server or runner, or how it ended. All conditions of a row must hold. */
export type CauseRow = {
  readonly causeId: string
  /** Also matches two consecutive lines joined by a space. */
  readonly spansLines?: true
  /** No retry can succeed before the user changes something. */
  readonly isPermanent?: true
  /** Minimum wait before the next retry, in ms: the obstacle disappears slowly. */
  readonly retryAfterMs?: number
  /** Any of these, matched line by line, against the first 1,000 characters of each. */
  readonly patterns?: readonly RegExp[]
  /** Finds the sentence's second text in all lines. */
  readonly more?: (lines: readonly string[]) => string | undefined
  /** The row applies only if `more` finds something. */
  readonly needsMore?: true
  /** Combines the texts of all matching lines into the sentence's first text. */
  readonly all?: (texts: readonly string[]) => string
  /** Another line must match this. */
  readonly context?: RegExp
  /** Exit codes; any of them, or of the signals, if either is given. */
  readonly exitCodes?: readonly number[]
  /** Signals of the server, or of a program that reported the signal. */
  readonly signals?: readonly NodeJS.Signals[]
  /** Lines of this row also explain a server ended by a signal; other rows' lines don't. */
  readonly isOfKill?: true
  readonly isSilent?: true
  readonly phases?: readonly StartPhase[]
  readonly runner?: RunnerName
  /** The sentence from the pattern's groups; without a pattern, `first` is the exit code or signal. */
  readonly message: (first: string, second: string) => string
  readonly step: FailureCause['step'] | ((first: string, second: string) => FailureCause['step'])
}

const SIGNAL_BASE = 128

/** The name of the signal that ended a child, or its program, which shells and runners report as 128 + number. */
export function signalOf({ code, signal }: ChildExit): string | undefined {
  if (signal !== null) return signal
  if (code === null || code <= SIGNAL_BASE || process.platform === 'win32') return undefined
  const number = code - SIGNAL_BASE
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
}
