import { setTimeout as delay } from 'node:timers/promises'

import {
  type AuthProvider,
  type FetchLike,
  InsufficientScopeError,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import { speaksOfToken, waitMsIn } from '../../failure/http-refusal'
import { ResponseTimeoutError, SignInNeededError } from '../../failure/remote-failure'
import { isSameHost } from '../../network/is-loopback'

/** Maximum retries at a busy server, each after the delay that it requests. */
const MAX_BUSY_RETRIES = 3
/** Maximum delay; the user has to decide about a longer one. */
const MAX_BUSY_MS = 30_000
/** Too many requests, and unavailable (RFC 6585, RFC 9110). */
const BUSY = [429, 503]
/** Bytes of a rejection that are read for its message. */
const MAX_READ = 64 * 1024
const MAX_REDIRECTS = 10
const REJECTED = [401, 403]
const REDIRECTS = [301, 302, 303, 307, 308]
const CUT: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

export type RemoteFetchOptions = {
  readonly fetch: typeof globalThis.fetch
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly maxMessageBytes: number
  /** Time limit of a response, in ms; for an event stream only that of its head. If absent, the caller has to give up. */
  readonly maxTotalMs?: number | undefined
  readonly count?: {
    readonly sent: (bytes: number) => void
    readonly received: (bytes: number, of: Response) => void
  }
}

/**
 * Creates the `fetch` of a remote server. Adds the user's headers only at the server's own origin, limits every response, and counts bytes.
 * Waits as a busy server requests (429 and 503, `Retry-After` and variants). The caller has to follow redirects.
 */
export function remoteFetch(options: RemoteFetchOptions): FetchLike {
  return async (input, init = {}) => {
    for (let tries = 1; ; tries += 1) {
      const response = await fetchOnce(options, input, init)
      if (!BUSY.includes(response.status) || tries > MAX_BUSY_RETRIES) return response
      const waitMs = waitMsIn(response.headers, Date.now())
      if (waitMs === undefined || waitMs > MAX_BUSY_MS) return response
      await response.body?.cancel()
      await delay(waitMs, undefined, { signal: init.signal ?? undefined })
    }
  }
}

/**
 * Follows redirects that stay within the origin and keep the method; returns any other redirect as it is. A redirect to the same host with
 * another scheme, or to another name of this computer, comes from a proxy that doesn't know its public address. Its path is tried once at
 * the requested origin, and `onMoved` is called.
 */
export function withinOrigin(fetch: FetchLike, onMoved?: (address: URL) => void): FetchLike {
  return async (input, init = {}) => {
    let address = new URL(input)
    let hasMoved = false
    for (let count = 0; ; count += 1) {
      const response = await fetch(address, { ...init, redirect: 'manual' })
      const target = count < MAX_REDIRECTS ? targetOf(response, address, init.method) : undefined
      const isSameOrigin = target?.origin === address.origin
      if (!target || (!isSameOrigin && (hasMoved || !isSameHost(target, address)))) return response
      await response.body?.cancel()
      address = isSameOrigin ? target : new URL(`${target.pathname}${target.search}`, address)
      if (isSameOrigin) continue
      hasMoved = true
      onMoved?.(address)
    }
  }
}

/** Returns the target of a redirect that keeps the method; undefined for any other response. */
function targetOf(
  { status, headers }: Response,
  address: URL,
  method: string | undefined,
): URL | undefined {
  const location = REDIRECTS.includes(status) ? headers.get('location') : null
  const keepsMethod = method === undefined || method === 'GET' || status === 307 || status === 308
  return location !== null && keepsMethod
    ? (URL.parse(location, address.href) ?? undefined)
    : undefined
}

/** Whether a connection was established and then cut, for example by a server that exits on an unknown request. */
export function isCut(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {}
  return CUT.includes((cause as { code?: unknown } | null | undefined)?.code)
}

export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/iu.test(headers.get('content-type') ?? '')
}

async function fetchOnce(
  options: RemoteFetchOptions,
  input: string | URL,
  init: RequestInit,
): Promise<Response> {
  const { maxTotalMs, maxMessageBytes, count } = options
  const limit = new AbortController()
  const timer =
    maxTotalMs &&
    setTimeout(() => limit.abort(new ResponseTimeoutError(maxTotalMs)), maxTotalMs).unref()
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal
  try {
    if (typeof init.body === 'string') count?.sent(Buffer.byteLength(init.body))
    const headers = headersFor(options, input, init)
    const response = await options.fetch(input, { ...init, headers, signal })
    const { status, statusText, headers: received, ok } = response
    const isStream = ok && isEventStream(response)
    if (isStream || !response.body) clearTimeout(timer)
    if (!response.body) return response
    let bytes = 0
    // Also if the body fails or nobody reads it to the end.
    const done = (): void => clearTimeout(timer)
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        count?.received(chunk.byteLength, response)
        bytes += chunk.byteLength
        if (bytes > maxMessageBytes && !isStream) controller.error(tooLarge(maxMessageBytes))
        else controller.enqueue(chunk)
      },
      flush: done,
      cancel: done,
    })
    const body = response.body.pipeThrough(counted)
    const read = new Response(body, { status, statusText, headers: received })
    return Object.defineProperty(read, 'url', { value: response.url })
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

function tooLarge(maxBytes: number): AppError {
  const limit = String(Math.floor(maxBytes / 1024 / 1024))
  return new AppError(
    'MESSAGE_TOO_LARGE',
    `The server’s message is larger than the limit of ${limit} MB.`,
    { hint: 'Request less data at a time, or raise the limit in Settings.' },
  )
}

/** Merges headers; the protocol's own (session, token) override those of the user. */
function headersFor(
  { url, headers }: RemoteFetchOptions,
  input: string | URL,
  init: RequestInit,
): Headers {
  const merged = new Headers(init.headers)
  if (new URL(input, url).origin !== url.origin) return merged
  for (const [name, value] of Object.entries(headers))
    if (!merged.has(name)) merged.set(name, value)
  return merged
}

/** Adds the token of a signed-in user to a session's requests, and renews a rejected one. */
export type SessionAuth = Required<AuthProvider> & {
  /** A response (401, 403) rejected this `Authorization` header; many requests may have sent the same one. */
  countRejected(response: Response, authorization: string | null): void
  recordAccepted(authorization: string | null): void
  /** Renews the last sent token, once; resolves to false if the user has to sign in. Called after a rejection with an accepted status. */
  renew(): Promise<boolean>
}

export type SessionAuthEvents = {
  /** Gets every token that was used in this run, for masking. */
  readonly onSecrets: (secrets: readonly string[]) => void
}

export type OpenSessionAuth = (url: URL, events: SessionAuthEvents) => SessionAuth

/**
 * Creates a `fetch` that renews a rejected token once, however the server rejects it. Rejects with a `SignInNeededError` if no token helps
 * (RFC 6750, 3.1).
 */
export function authorizedFetch(
  fetch: FetchLike,
  url: URL,
  auth: SessionAuth | undefined,
): FetchLike {
  const send = async (...[input, init]: Parameters<FetchLike>): Promise<Response> => {
    const headers = new Headers(init?.headers)
    const token = await auth?.token()
    if (token) headers.set('authorization', `Bearer ${token}`)
    const received = await fetch(input, { ...init, headers })
    const authorization = headers.get('authorization')
    const response = token === undefined ? received : await asUnauthorized(received)
    if (REJECTED.includes(response.status)) auth?.countRejected(response, authorization)
    else if (response.ok) auth?.recordAccepted(authorization)
    if (response.status !== 403) return response
    const { error, scope } = bearerChallenge(response.headers) ?? {}
    if (error !== 'insufficient_scope') return response
    await response.body?.cancel()
    const cause = new InsufficientScopeError(scope ? { requiredScope: scope } : {})
    throw new SignInNeededError(url, cause)
  }
  return async (input, init) => {
    const response = await send(input, init)
    if (response.status !== 401 || !auth) return response
    await response.body?.cancel()
    await auth.onUnauthorized({ response, serverUrl: url, fetchFn: fetch })
    const second = await send(input, init)
    if (second.status !== 401) return second
    await second.body?.cancel()
    throw new SignInNeededError(url)
  }
}

/** Returns a rejection of the sent token as a 401, whatever its status; any other response as it is. */
async function asUnauthorized(response: Response): Promise<Response> {
  const { status, headers } = response
  if (response.ok || status === 401 || REDIRECTS.includes(status)) return response
  const { error } = bearerChallenge(headers) ?? {}
  if (error === 'insufficient_scope') return response
  const isTokenInvalid = error === 'invalid_token' || (await speaksOfTokenIn(response))
  if (!isTokenInvalid) return response
  await response.body?.cancel()
  return new Response(null, { status: 401, headers })
}

/** Whether the server itself rejected the token; a proxy in front of a dead server sends other statuses. */
async function speaksOfTokenIn(response: Response): Promise<boolean> {
  return response.status <= 500 && speaksOfToken(await startOf(response.clone()))
}

export function bytesOf({ body }: Response): AsyncIterable<Uint8Array> {
  return (body ?? ReadableStream.from([])) as ReadableStream<Uint8Array>
}

/** Returns the beginning of a body, up to 64 KB. */
export async function startOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of bytesOf(response)) {
      parts.push(part)
      bytes += part.byteLength
      if (bytes >= MAX_READ) break
    }
  } catch {
    // Cut: the received part is enough.
  }
  return Buffer.concat(parts).toString('utf8', 0, MAX_READ)
}

/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1); names are in lower case. */
export type Challenge = {
  readonly scheme: string
  readonly params: Readonly<Record<string, string>>
}

const TOKEN = String.raw`[\w!#$%&'*+.^\x60|~\-]+`
/** `name = value`, with optional blanks around the sign and optional quotes around the value. */
const PARAM = String.raw`(${TOKEN})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))`
/** A scheme, with the credentials that some have instead of parameters. */
const SCHEME = String.raw`(${TOKEN})(?:[ \t]+[\w\-.~+/]+=*(?=[ \t]*(?:,|$)))?(?=[ \t,]|$)`
const PARTS = new RegExp(`${PARAM}|${SCHEME}`, 'gu')

/** Parses all challenges of a header, or of several joined by commas; skips unreadable parts. */
export function challengesIn(header: string): readonly Challenge[] {
  const challenges: { scheme: string; params: Record<string, string> }[] = []
  for (const [, name, quoted, bare = '', scheme] of header.matchAll(PARTS)) {
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), params: {} })
    const params = challenges.at(-1)?.params
    if (name !== undefined && params)
      params[name.toLowerCase()] ??= quoted?.replaceAll(/\\(.)/gu, '$1') ?? bare
  }
  return challenges
}

/** Returns the parameters of the challenge for a bearer token, at any position; undefined if there is none. */
export function bearerChallenge(headers: Headers): Challenge['params'] | undefined {
  const all = challengesIn(headers.get('www-authenticate') ?? '')
  const bearers = all.filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  return (bearers.find(({ params }) => params.resource_metadata) ?? bearers[0])?.params
}
