import { constants } from 'node:os'

import type { RunnerName } from '../../../src-shared/domain/runner-name'
import type { FailureCause } from '../../../src-shared/domain/running/failure-cause'
import type { StartPhase } from '../../../src-shared/domain/running/run-status'
import type { ChildExit } from '../process/spawn/child-process'

/** What a cause is recognized by. */
export type CauseClues = {
  /** Masked, oldest first. */
  readonly lines: readonly string[]
  readonly exit?: ChildExit | undefined
  readonly phase?: StartPhase | undefined
  readonly runner?: RunnerName | undefined
  /** Whether the copy that its runner keeps was made again in this very start. */
  readonly isRepaired?: boolean | undefined
}

/** What one line of a server or runner says, where it says why it ended, or how it ended; all that a row names must be so. */
export type CauseRow = {
  readonly causeId: string
  /** Also read over two lines that follow each other, with one space between them. */
  readonly spansLines?: true
  /** No retry can succeed before the user changes something. */
  readonly isPermanent?: true
  /** The next retry waits so long at least, in ms: what is in the way goes away slowly. */
  readonly retryAfterMs?: number
  /** Any of them; read line by line, and of each line its first 1,000 characters alone. */
  readonly says?: readonly RegExp[]
  /** Finds in all lines what the sentence needs besides, as its second text. */
  readonly more?: (lines: readonly string[]) => string | undefined
  /** The row is shown only where `more` finds something. */
  readonly needsMore?: true
  /** Makes the first text of the sentence of what all lines that match hold. */
  readonly all?: (texts: readonly string[]) => string
  /** What another line must say beside. */
  readonly beside?: RegExp
  /** Any of these ends, or of the signals, where either is named. */
  readonly exitCodes?: readonly number[]
  /** Of the server, or of what it ran and reported the signal of. */
  readonly signals?: readonly NodeJS.Signals[]
  /** Its lines tell it also of a server that a signal ended; what others say was no reason for that. */
  readonly isOfKill?: true
  readonly isSilent?: true
  readonly phases?: readonly StartPhase[]
  readonly runner?: RunnerName
  /** The sentence, from what the groups of the pattern hold; without a pattern `first` is the exit code or signal. */
  readonly sentence: (first: string, second: string) => string
  readonly step: FailureCause['step'] | ((first: string, second: string) => FailureCause['step'])
}

const SIGNAL_BASE = 128

/** The signal that ended a child, by name: its own, or that of what it ran, which a shell or runner reports as 128 + its number. */
export function signalOf({ code, signal }: ChildExit): string | undefined {
  if (signal !== null) return signal
  if (code === null || code <= SIGNAL_BASE || process.platform === 'win32') return undefined
  const number = code - SIGNAL_BASE
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
}
