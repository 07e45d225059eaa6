import * as z from 'zod'

import { AppError, type AppErrorShape } from '../../src-shared/domain/app-error'
import type { RequestChannel } from '../../src-shared/ipc/contract'
import {
  type ParsedInput,
  type Reply,
  type RequestOutput,
  requests,
} from '../../src-shared/ipc/contract'

type Handler<C extends RequestChannel> = (
  input: ParsedInput<C>,
) => Promise<RequestOutput<C>> | RequestOutput<C>

/** One function per request channel; a missing or misnamed one doesn't compile. */
export type Handlers = { readonly [C in RequestChannel]: Handler<C> }

/** Handlers of the channels with a prefix, such as `catalog`. */
export type HandlersOf<P extends string> = Pick<Handlers, Extract<keyof Handlers, `${P}.${string}`>>

/**
 * Parses, runs and wraps one request of a window or socket; never rejects. An unexpected error goes to `onUnexpected`, and to the caller as
 * INTERNAL, because its text may contain anything.
 */
export async function answer<C extends RequestChannel>(
  handlers: Handlers,
  channel: C,
  raw: unknown,
  onUnexpected: (channel: RequestChannel, error: unknown) => void = logUnexpected,
): Promise<Reply<RequestOutput<C>>> {
  const parsed = requests[channel].input.safeParse(raw)
  if (!parsed.success) {
    process.stderr.write(`patchbay: ${channel}: ${z.prettifyError(parsed.error)}\n`)
    const message = `Invalid request to ${channel}.`
    return { ok: false, error: { code: 'INVALID_REQUEST', message, hint: 'Refresh the page.' } }
  }
  try {
    return { ok: true, value: await handlers[channel](parsed.data as ParsedInput<C>) }
  } catch (error) {
    if (!(error instanceof AppError)) onUnexpected(channel, error)
    return { ok: false, error: toErrorShape(error) }
  }
}

function toErrorShape(error: unknown): AppErrorShape {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, hint: error.hint }
  }
  return {
    code: 'INTERNAL',
    message: 'An unexpected error occurred.',
    hint: 'Try again. See Patchbay’s log for details.',
  }
}

function logUnexpected(channel: RequestChannel, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`patchbay: ${channel} failed: ${text}\n`)
}
