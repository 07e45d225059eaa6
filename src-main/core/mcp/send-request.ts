import { type Client, ProtocolError, type StandardSchemaV1 } from '@modelcontextprotocol/client'

import type { AppError } from '../../../src-shared/domain/app-error'
import type { CallAsker } from './elicitation/call-asker'
import type { OpenCall } from './elicitation/open-calls'
import { unreadMethod } from './messages/unread-method'
import { RequestDeadline, type RequestLimits } from './peer/request-deadline'
import { cancelledFailure, isBrokenLine, requestFailure } from './peer/request-failure'

export type RequestOptions = {
  /** How long without an answer or progress, in ms. */
  readonly timeoutMs?: number | undefined
  /** How long in all however it progresses, in ms; never less than `timeoutMs` (B3). */
  readonly maxTotalMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?:
    | ((progress: { progress: number; total?: number; message?: string }) => void)
    | undefined
  /** Who answers what the server asks back for it; Patchbay's person where it is missing. */
  readonly asker?: CallAsker | undefined
}

/** Requests that may be answered with a wish for something else first (newer era, MCP 2026-07-28). */
const MAY_WANT: readonly string[] = ['tools/call', 'prompts/get', 'resources/read']
/** The SDK's own deadline does not know of rests: the longest that a timer takes. */
const NEVER_MS = 2 ** 31 - 1

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
  options: RequestOptions &
    RequestLimits & {
      /** Gets its deadline. */
      readonly call: OpenCall
      /** Those that the request has over HTTP besides the usual ones. */
      readonly headers?: Readonly<Record<string, string>> | undefined
      /** What the line makes of a failure, where that is its own. */
      readonly explain: (error: unknown) => AppError | undefined
    },
): Promise<unknown> {
  const { timeoutMs, signal } = options
  if (signal?.aborted) throw cancelledFailure(method)
  const over = new AbortController()
  const giveUp = (): void => over.abort(cancelledFailure(method))
  signal?.addEventListener('abort', giveUp, { once: true })
  const deadline = new RequestDeadline(method, options, (failure) => over.abort(failure))
  options.call.deadline = deadline
  try {
    return await client.request({ method: unreadMethod(client, method), params }, AS_IT_IS, {
      timeout: NEVER_MS,
      onprogress: (progress) => {
        deadline.progress()
        options.onProgress?.(progress)
      },
      signal: over.signal,
      allowInputRequired: MAY_WANT.includes(method),
      ...(options.headers && { headers: options.headers }),
    })
  } catch (error) {
    if (over.signal.aborted) throw over.signal.reason
    throw isBrokenLine(error)
      ? error
      : (options.explain(error) ?? requestFailure(method, timeoutMs, error))
  } finally {
    deadline[Symbol.dispose]()
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Settles when the server answers a ping within `timeout` ms, be it that it knows none (MCP, ping); rejects with the SDK's error. */
export async function sendPing(client: Client, timeout: number): Promise<void> {
  try {
    await client.request({ method: 'ping', params: {} }, AS_IT_IS, { timeout })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
  }
}

/** As `sendPing`, of a server of the newer era, which knows no ping (MCP 2026-07-28, `server/discover`). */
export async function sendDiscover(client: Client, timeout: number): Promise<void> {
  try {
    await client.discover({ timeout })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
  }
}
