import type { StartPhase } from '../../../../src-shared/domain/running/run-status'
import { timeoutError } from '../../failure/describe-failure'

/**
 * Rejects with PHASE_TIMEOUT when `work` takes longer than its budget (ms), or with the reason of `signal`; `facts` say
 * what was seen until then.
 */
export async function withinBudget<T>(
  phase: StartPhase,
  budgetMs: number,
  signal: AbortSignal,
  work: Promise<T>,
  facts?: () => string | undefined,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let onAbort: (() => void) | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timeoutError(phase, budgetMs, facts?.())), budgetMs)
    onAbort = () => reject(abortReason(signal))
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('cancelled')
}
