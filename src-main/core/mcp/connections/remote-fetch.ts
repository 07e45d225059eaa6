import { setTimeout as delay } from 'node:timers/promises'

import type { FetchLike } from '@modelcontextprotocol/client'

import { ResponseTimeoutError } from '../../failure/remote-failure'
import { eventBody } from '../http/incoming/event-body'
import type { Incoming } from '../http/incoming/incoming'
import { limitedBody } from './limited-body'
import { retryAfterMs } from './retry-after'

/** A server that is too busy is asked again this often, each time after the wait that it names. */
const MOST_BUSY_TRIES = 3
/** A longer wait is the person's to know of. */
const LONGEST_BUSY_MS = 30_000
const TOO_MANY_REQUESTS = 429
const EVENTS = /^text\/event-stream\b/i
const JSON_TEXT = /^application\/json\b/i
/** What the SDK gets of a body that was read: a batch that is empty. */
const NO_MESSAGES = '[]'

export type RemoteFetchOptions = {
  /** Goes by the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  /** Address of the server; its headers go nowhere else. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** In bytes. */
  readonly maxMessageBytes: number
  /** How long an answer may take that is no stream of events, in ms; of one that is, its head. */
  readonly maxTotalMs: number
  readonly onSent: (bytes: number) => void
  /** `ok`: whether they are of an answer that is no refusal. */
  readonly onReceived: (bytes: number, of: { readonly ok: boolean }) => void
  /** Who reads the messages of what comes back for the message that is being sent; missing where there are none. */
  readonly incoming?: (() => Incoming) | undefined
}

/**
 * The `fetch` of a remote server's session: adds the person's headers for the server's own origin and nowhere else,
 * bounds the size and time of every answer, counts bytes, and waits as a busy server asks (429, `Retry-After`).
 * Redirects are the SDK's to judge: it follows none to another origin.
 */
export function remoteFetch(options: RemoteFetchOptions): FetchLike {
  return async (input, init = {}) => {
    const incoming = options.incoming?.()
    const signals = [init.signal, incoming?.signal].filter((one) => one instanceof AbortSignal)
    const signal = AbortSignal.any(signals)
    if (typeof init.body === 'string') incoming?.sent(init.body)
    for (let tries = 1; ; tries += 1) {
      const response = await fetchOnce(options, input, { ...init, signal }, incoming)
      if (response.status !== TOO_MANY_REQUESTS || tries > MOST_BUSY_TRIES) return response
      const waitMs = retryAfterMs(response.headers.get('retry-after'), Date.now())
      if (waitMs === undefined || waitMs > LONGEST_BUSY_MS) return response
      await response.body?.cancel()
      await delay(waitMs, undefined, { signal })
    }
  }
}

async function fetchOnce(
  options: RemoteFetchOptions,
  input: string | URL,
  init: RequestInit & { readonly signal: AbortSignal },
  incoming: Incoming | undefined,
): Promise<Response> {
  const { maxTotalMs, onSent } = options
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new ResponseTimeoutError(maxTotalMs)), maxTotalMs)
  timer.unref()
  const signal = AbortSignal.any([init.signal, limit.signal])
  try {
    if (typeof init.body === 'string') onSent(Buffer.byteLength(init.body))
    const response = await options.fetch(input, {
      ...init,
      headers: headersFor(options, input, init),
      signal,
    })
    if (isOfType(response, EVENTS) || !response.body) clearTimeout(timer)
    const body = await readBody(options, response, incoming)
    if (body === null) return response
    const end = new TransformStream({ flush: () => clearTimeout(timer) })
    const { status, statusText, headers } = response
    const read = new Response(body.pipeThrough(end), { status, statusText, headers })
    return Object.defineProperty(read, 'url', { value: response.url })
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

/** The body as the SDK gets it, bounded; where it holds messages they are read by then, or as it is read. */
async function readBody(
  { maxMessageBytes: maxBytes, onReceived }: RemoteFetchOptions,
  response: Response,
  incoming: Incoming | undefined,
): Promise<ReadableStream<Uint8Array> | null> {
  if (!response.body) return null
  const onBytes = (bytes: number): void => onReceived(bytes, response)
  if (incoming && response.ok && isOfType(response, EVENTS)) {
    incoming.streams()
    return response.body.pipeThrough(eventBody({ incoming, maxBytes, onBytes }))
  }
  const body = response.body.pipeThrough(limitedBody({ maxBytes, onBytes }))
  if (!incoming?.isAsked || !response.ok || !isOfType(response, JSON_TEXT)) return body
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  incoming.read(Buffer.concat(parts))
  return new Response(NO_MESSAGES).body
}

function isOfType({ headers }: Response, type: RegExp): boolean {
  return type.test(headers.get('content-type') ?? '')
}

/** What the SDK sets (its session, its token) comes before what a person typed. */
function headersFor(
  { url, headers }: RemoteFetchOptions,
  input: string | URL,
  init: RequestInit,
): Headers {
  const own = new Headers(init.headers)
  if (new URL(input, url).origin !== url.origin) return own
  for (const [name, value] of Object.entries(headers)) {
    if (!own.has(name)) own.set(name, value)
  }
  return own
}
