import { reasonOf } from '../../network/fetch-failure'
import { fetchFollowing, readBody, RedirectError } from '../../network/http-fetch'

/** A GET request to a registry, as it is sent between threads. */
type TransferRequest = {
  readonly url: string
  readonly token?: string | undefined
  readonly etag?: string | undefined
  readonly timeLimitMs: number
  readonly byteLimit: number
}

/** The outcome; expected failures are values, with a reason that continues "The registry at ADDRESS". */
export type TransferAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly etag?: string | undefined
      readonly retryAfter?: string | undefined
      /** The registry's clock, as sent. */
      readonly date?: string | undefined
      readonly body: Uint8Array<ArrayBuffer>
    }
  | {
      readonly kind: 'failure'
      readonly code:
        | 'cancelled'
        | 'unreachable'
        | 'timed-out'
        | 'cut-off'
        | 'too-large'
        | 'bad-redirect'
      /** Contains `{address}` for the registry's address. */
      readonly message: string
    }

/** Sends a request; never rejects. */
export type Transfer = (request: TransferRequest, signal?: AbortSignal) => Promise<TransferAnswer>

type Failure = Extract<TransferAnswer, { kind: 'failure' }>

const MAX_REDIRECTS = 5

/** Makes a transfer from `fetch`: a token never reaches another origin, https never becomes http, and the body is bounded. */
export function createTransfer(fetch: typeof globalThis.fetch = globalThis.fetch): Transfer {
  return async (request, signal) => {
    const limit = AbortSignal.timeout(request.timeLimitMs)
    const both = signal === undefined ? limit : AbortSignal.any([signal, limit])
    let hasBegun = false
    try {
      const first = new URL(request.url)
      const { response } = await fetchFollowing(first, {
        ...{ fetch, signal: both, redirects: MAX_REDIRECTS, mayFollow },
        headersFor: ({ origin }) => headersOf(request, origin === first.origin),
      })
      hasBegun = true
      return await readAnswer(response, request.byteLimit)
    } catch (error) {
      if (signal?.aborted)
        return failure('cancelled', 'The request to the registry at {address} was canceled.')
      if (limit.aborted) {
        return failure(
          'timed-out',
          `The registry at {address} did not respond within ${request.timeLimitMs / 1000} s.`,
        )
      }
      if (error instanceof RedirectError) return failure('bad-redirect', LEADS[error.why])
      return hasBegun
        ? failure('cut-off', 'The registry at {address} ended its response too early.')
        : failure(
            'unreachable',
            `The registry at {address} couldn’t be reached: ${reasonOf(error)}.`,
          )
    }
  }
}

const LEADS: Readonly<Record<RedirectError['why'], string>> = {
  unreadable: 'The registry at {address} redirects to an invalid address.',
  refused: 'The registry at {address} redirects to an address without https.',
  endless: 'The registry at {address} redirects endlessly.',
}

function headersOf(request: TransferRequest, isSameOrigin: boolean): Record<string, string> {
  return {
    accept: 'application/json',
    ...(request.etag === undefined ? {} : { 'if-none-match': request.etag }),
    ...(request.token === undefined || !isSameOrigin
      ? {}
      : { authorization: `Bearer ${request.token}` }),
  }
}

function mayFollow(to: URL, from: URL): boolean {
  return to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:')
}

async function readAnswer(response: Response, byteLimit: number): Promise<TransferAnswer> {
  const body = await readBody(response, byteLimit)
  if (body === undefined)
    return failure(
      'too-large',
      `The registry at {address} returned more than ${byteLimit / 1024 / 1024} MB.`,
    )
  return {
    kind: 'answer',
    status: response.status,
    etag: response.headers.get('etag') ?? undefined,
    retryAfter: response.headers.get('retry-after') ?? undefined,
    date: response.headers.get('date') ?? undefined,
    body,
  }
}

function failure(code: Failure['code'], message: string): Failure {
  return { kind: 'failure', code, message }
}
