import { isJsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'

/** One GET of a registry, as it crosses between threads. */
export type TransferRequest = {
  readonly url: string
  readonly token?: string | undefined
  readonly etag?: string | undefined
  readonly timeLimitMs: number
  readonly byteLimit: number
}

/** What became of it; expected failures are values, with a reason that goes on after "The registry at ADDRESS". */
export type TransferAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly etag?: string | undefined
      readonly retryAfter?: string | undefined
      /** The registry's own time, as it writes it. */
      readonly date?: string | undefined
      readonly body: Uint8Array<ArrayBuffer>
    }
  | {
      readonly kind: 'failure'
      readonly code:
        'cancelled' | 'unreachable' | 'timed-out' | 'cut-off' | 'too-large' | 'bad-redirect'
      readonly what: string
    }

/** Sends a request; never rejects. */
export type Transfer = (request: TransferRequest, signal?: AbortSignal) => Promise<TransferAnswer>

type Failure = Extract<TransferAnswer, { kind: 'failure' }>

const MAX_REDIRECTS = 5

/**
 * Makes a transfer of a `fetch`: follows redirects itself, so that a token never reaches another origin and
 * nothing goes from https to http, and reads no more of a body than it may.
 */
export function createTransfer(fetch: typeof globalThis.fetch = globalThis.fetch): Transfer {
  return async (request, signal) => {
    const limit = AbortSignal.timeout(request.timeLimitMs)
    const both = signal === undefined ? limit : AbortSignal.any([signal, limit])
    const progress = { hasBegun: false }
    try {
      return await follow(fetch, request, both, progress)
    } catch (error) {
      if (signal?.aborted) return failure('cancelled', 'was not waited for')
      if (limit.aborted) {
        return failure('timed-out', `did not answer within ${request.timeLimitMs / 1000} s`)
      }
      return progress.hasBegun
        ? failure('cut-off', 'ended its answer too early')
        : failure('unreachable', `could not be reached: ${reasonOf(error)}`)
    }
  }
}

async function follow(
  fetch: typeof globalThis.fetch,
  request: TransferRequest,
  signal: AbortSignal,
  progress: { hasBegun: boolean },
): Promise<TransferAnswer> {
  const origin = new URL(request.url).origin
  let url = new URL(request.url)
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const headers = headersOf(request, url.origin === origin)
    const response = await fetch(url.href, { headers, signal, redirect: 'manual' })
    const location = response.headers.get('location')
    if (!isRedirect(response.status) || location === null) {
      progress.hasBegun = true
      return await readAnswer(response, request.byteLimit)
    }
    await response.body?.cancel()
    if (!URL.canParse(location, url.href)) return failure('bad-redirect', 'leads to no address')
    const next = new URL(location, url)
    if (!isAllowed(url, next)) {
      return failure('bad-redirect', 'leads to an address that is not protected')
    }
    url = next
  }
  return failure('bad-redirect', 'leads from address to address without an end')
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

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status)
}

function isAllowed(from: URL, to: URL): boolean {
  return to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:')
}

async function readAnswer(response: Response, byteLimit: number): Promise<TransferAnswer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const stream: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > byteLimit) {
      return failure('too-large', `answered with more than ${byteLimit / 1024 / 1024} MB`)
    }
    chunks.push(chunk)
  }
  return {
    kind: 'answer',
    status: response.status,
    etag: response.headers.get('etag') ?? undefined,
    retryAfter: response.headers.get('retry-after') ?? undefined,
    date: response.headers.get('date') ?? undefined,
    body: joined(chunks, size),
  }
}

/** A buffer of its own: one of the shared pool would cross to another thread with all that lies beside it. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.byteLength
  }
  return body
}

function failure(code: Failure['code'], what: string): Failure {
  return { kind: 'failure', code, what }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name could not be resolved',
  EAI_AGAIN: 'its name could not be resolved',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'it did not answer in time',
  PROXY_UNUSABLE:
    'the proxy that HTTP_PROXY, HTTPS_PROXY or the settings of this computer name cannot be used',
  UND_ERR_ABORTED: 'the proxy did not let it through',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = isJsonObject(cause) && typeof cause.code === 'string' ? cause.code : undefined
  const known = code === undefined ? undefined : REASONS[code]
  return known ?? `the request failed${code === undefined ? '' : ` (${code})`}`
}
