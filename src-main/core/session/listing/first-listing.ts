import type { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf } from '../../failure/describe-failure'
import { mendsItself } from '../../failure/mends-itself'

const RETRY_MS = 500

/** The first listing (B5): a failure is tried again every 500 ms until `budgetMs` has passed; rejects with the last one. */
export async function readFirstListing(parts: {
  readonly budgetMs: number
  /** Reads all lists within so many ms. */
  readonly read: (withinMs: number) => Promise<void>
  /** Whether nothing more can be asked. */
  readonly isOver: () => boolean
  /** What the line makes of a failure, where that is its own. */
  readonly explain: (error: unknown) => AppError | undefined
  readonly onWarning: (message: string) => void
}): Promise<void> {
  const { budgetMs, read, isOver, explain, onWarning } = parts
  // Not the time of day: that may jump.
  const deadline = performance.now() + budgetMs
  for (;;) {
    try {
      await read(Math.max(deadline - performance.now(), 0))
      return
    } catch (error) {
      const told = explain(error)
      const isLast = isOver() || deadline - performance.now() < RETRY_MS
      // What only a person can mend is no different in a moment.
      if (isLast || (told && !mendsItself(told.code))) throw error
      onWarning(`The first listing failed and is tried again: ${messageOf(error)}`)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}
