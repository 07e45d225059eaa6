import type { AppError } from '../../../../src-shared/domain/app-error'
import type { StartPhase } from '../../../../src-shared/domain/running/run-status'
import { timeoutError } from '../../failure/describe-failure'

/** What decides about a step that has reached its limit. */
export type BudgetOptions = {
  /** When `more` is asked first, in ms; at the limit where it is missing. */
  readonly firstMs?: number | undefined
  /** What was seen until then, as sentences. */
  readonly facts?: (() => string | undefined) | undefined
  /** How long the step may go on, in ms, or why it may not. */
  readonly more?: (() => Promise<number | AppError | undefined>) | undefined
}

/** Rejects with PHASE_TIMEOUT or as `more` says when `work` takes longer than its budget (ms), or with the reason of `signal`. */
export async function withinBudget<T>(
  phase: StartPhase,
  budgetMs: number,
  signal: AbortSignal,
  work: Promise<T>,
  { firstMs = budgetMs, facts, more }: BudgetOptions = {},
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let onAbort: (() => void) | undefined
  let isOver = false
  let spentMs = firstMs
  const limit = new Promise<never>((_resolve, reject) => {
    const decide = async (): Promise<void> => {
      const decision = await more?.()
      if (isOver) return
      if (typeof decision === 'number') {
        spentMs += decision
        timer = setTimeout(() => void decide().catch(reject), decision)
      } else {
        // A little more than the limit is no other limit.
        const wholeMs = Math.round(spentMs / 1_000) * 1_000
        const shownMs = spentMs < 2 * budgetMs ? budgetMs : wholeMs
        reject(decision ?? timeoutError(phase, shownMs, facts?.()))
      }
    }
    timer = setTimeout(() => void decide().catch(reject), firstMs)
    onAbort = () => reject(abortReason(signal))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, limit])
  } finally {
    isOver = true
    clearTimeout(timer)
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('cancelled')
}
