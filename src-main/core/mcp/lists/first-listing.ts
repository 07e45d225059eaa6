import { AppError } from '../../../../src-shared/domain/app-error'
import { messageOf, timeoutError } from '../../failure/describe-failure'
import { mendsItself } from '../../failure/mends-itself'
import { RefusedRequestError } from '../peer/request-failure'

const RETRY_MS = 500

/**
 * The first listing (B5): reads until one list came or `budgetMs` has passed, and rejects with the last failure. A
 * JSON-RPC error is an answer, so its retries wait longer each time; other failures are retried every 500 ms.
 */
export async function readFirstListing(parts: {
  readonly budgetMs: number
  /** Reads all lists within so many ms. */
  readonly read: (withinMs: number) => Promise<void>
  /** Whether nothing more can be asked. */
  readonly isOver: () => boolean
  /** The connection's own reading of a failure, where it has one. */
  readonly explain: (error: unknown) => AppError | undefined
  readonly onWarning: (message: string) => void
}): Promise<void> {
  const { budgetMs, read, isOver, explain, onWarning } = parts
  // Not the time of day: that may jump.
  const deadline = performance.now() + budgetMs
  let rejections = 0
  for (;;) {
    try {
      await read(Math.max(deadline - performance.now(), 0))
      return
    } catch (error) {
      if (error instanceof AppError && error.code === 'REQUEST_TIMEOUT')
        throw timeoutError('discover', budgetMs)
      const isRejection = error instanceof RefusedRequestError
      if (isRejection) rejections += 1
      const waitMs = isRejection ? RETRY_MS * 2 ** (rejections - 1) : RETRY_MS
      const known = explain(error) ?? (isRejection ? undefined : appError(error))
      const isLast = isOver() || deadline - performance.now() < waitMs
      // A retry can't change what only the user can fix.
      if (isLast || (known && !mendsItself(known.code))) throw error
      onWarning(`The first listing failed. Retrying in ${waitMs / 1_000} s: ${messageOf(error)}`)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

function appError(error: unknown): AppError | undefined {
  return error instanceof AppError ? error : undefined
}
