import { AppError } from '../../../src-shared/domain/app-error'
import type { RemovalOutcome } from '../../../src-shared/domain/state/removal'
import { messageOf } from '../failure/describe-failure'

/** What could not be removed. */
export type LeftThing = RemovalOutcome['left'][number]

/** What came of one part of a removal. */
export type PartOutcome = { readonly removed: readonly string[]; readonly left: LeftThing[] }

/** Why something failed and what to do about it, as sentences. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof AppError)) return `${messageOf(error)}.`
  return [error.message, error.hint].filter(Boolean).join(' ')
}
