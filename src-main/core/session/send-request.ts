import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'

import { cancelledFailure, isBrokenLine, overdueFailure, requestFailure } from './request-failure'

/** The longest that progress can keep a request alive, in ms (B3). */
export const MAX_TOTAL_MS = 600_000

export type RequestOptions = {
  /** How long without an answer or progress, in ms. */
  readonly timeoutMs?: number | undefined
  /** How long in all, in ms; never less than `timeoutMs`. */
  readonly maxTotalMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void
}

/** Takes every result as the server wrote it. */
const AS_IT_IS: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'patchbay', validate: (value) => ({ value }) },
}

/**
 * One request with its deadline: progress extends it, up to a hard limit; when it is over the server is
 * told by `notifications/cancelled` (MCP, cancellation). Rejects with an `AppError`, or with the SDK's
 * error when the connection is gone (see `isBrokenLine`).
 */
export async function sendRequest(
  client: Client,
  method: string,
  params: Record<string, unknown>,
  options: RequestOptions & { readonly timeoutMs: number },
): Promise<unknown> {
  const { timeoutMs, signal } = options
  if (signal?.aborted) throw cancelledFailure(method)
  const maxTotalMs = Math.max(options.maxTotalMs ?? MAX_TOTAL_MS, timeoutMs)
  const over = new AbortController()
  const giveUp = (): void => over.abort(cancelledFailure(method))
  signal?.addEventListener('abort', giveUp, { once: true })
  const endsAt = performance.now() + maxTotalMs
  let hardLimit: NodeJS.Timeout | undefined
  // Without progress the deadline comes first, so most requests need no second timer.
  const armHardLimit = (): void => {
    const left = Math.max(endsAt - performance.now(), 0)
    hardLimit ??= setTimeout(() => over.abort(overdueFailure(method, maxTotalMs)), left)
  }
  try {
    return await client.request({ method, params }, AS_IT_IS, {
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      onprogress: (progress) => {
        armHardLimit()
        options.onProgress?.(progress)
      },
      signal: over.signal,
    })
  } catch (error) {
    if (over.signal.aborted) throw over.signal.reason
    throw isBrokenLine(error) ? error : requestFailure(method, timeoutMs, error)
  } finally {
    clearTimeout(hardLimit)
    signal?.removeEventListener('abort', giveUp)
  }
}
