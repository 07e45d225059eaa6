import { constants } from 'node:os'

import type { ChildExit } from '../process/spawn/child-process'

const SIGNAL_BASE = 128

/** The signal that ended a child, by name: its own, or that of what it ran, which a shell or runner reports as 128 + its number. */
export function signalOf({ code, signal }: ChildExit): string | undefined {
  if (signal !== null) return signal
  if (code === null || code <= SIGNAL_BASE || process.platform === 'win32') return undefined
  const number = code - SIGNAL_BASE
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0]
}
