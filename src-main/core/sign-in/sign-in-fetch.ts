import type { FetchLike } from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { remoteFailure } from '../failure/remote-failure'
import { remoteFetch } from '../session/http/incoming/remote-fetch'
import { mayAsk } from './sign-in-address'

/** Metadata and tokens are a few KB. */
const LONGEST_ANSWER_BYTES = 1024 * 1024
const LONGEST_ANSWER_MS = 30_000

/**
 * The `fetch` of a sign-in: bounded in size and time, without the person's headers, and to no address that is neither
 * https nor the server's own. Redirects are the SDK's to judge: each one comes by here again.
 */
export function signInFetch(
  server: URL,
  fetch: typeof globalThis.fetch,
  signal?: AbortSignal,
): FetchLike {
  const bounded = remoteFetch({
    fetch,
    url: server,
    headers: {},
    maxMessageBytes: LONGEST_ANSWER_BYTES,
    maxTotalMs: LONGEST_ANSWER_MS,
    onSent: () => undefined,
    onReceived: () => undefined,
  })
  return async (input, init = {}) => {
    const address = new URL(input, server)
    if (!mayAsk(address, server)) throw passedOn(refusedAddress(address))
    const signals = [init.signal, signal].filter((one) => one !== null && one !== undefined)
    const limits = signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}
    try {
      return await bounded(address, { ...init, ...limits, redirect: 'manual' })
    } catch (error) {
      const known = remoteFailure(error, address)
      throw known ? passedOn(known) : error
    }
  }
}

/** The one kind of error that the SDK does not take for "there is no such metadata". */
function passedOn(cause: AppError): TypeError {
  return new TypeError(cause.message, { cause })
}

function refusedAddress({ protocol, host }: URL): AppError {
  return new AppError(
    'SIGN_IN_FAILED',
    `The server names an address for its sign-in that is not asked: ${protocol}//${host}`,
    { hint: 'Only https is. This is a fault of the server, or worse: tell its makers.' },
  )
}
