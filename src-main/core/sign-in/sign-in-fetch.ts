import type { FetchLike } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import type { JsonObject } from '../../../src-shared/domain/json-object'
import { cutProse } from '../failure/describe-failure'
import { remoteFailure } from '../failure/remote-failure'
import { remoteFetch } from '../mcp/connections/remote-fetch'
import { jsonObjectIn } from './find-metadata'
import { mayAsk } from './sign-in-address'

/** Metadata and tokens take a few KB. */
const MAX_ANSWER_BYTES = 1024 * 1024
const MAX_ANSWER_MS = 30_000
const MAX_CITATION_LENGTH = 300
const Text = z.string().min(1).optional().catch(undefined)
/** Some servers write numbers as text. */
const Count = z.preprocess(numberOf, z.number().optional())

/**
 * Members that a sign-in uses of a token or registration response (RFC 6749, 5; RFC 7591, 3.2). The rest is dropped, because it could only
 * break the SDK's parser.
 */
const Grant = z.object({
  ...{ access_token: Text, refresh_token: Text, token_type: Text, expires_in: Count },
  // Some servers send scopes as a list.
  scope: z.preprocess((one) => (Array.isArray(one) ? one.join(' ') : one), Text),
  ...{ client_id: Text, client_secret: Text, token_endpoint_auth_method: Text },
  ...{ client_id_issued_at: Count, client_secret_expires_at: Count },
  ...{ error: Text, error_description: Text, error_uri: Text },
})

/** A token or registration endpoint sent a response that OAuth doesn't define. */
export class UnexpectedAnswerError extends AppError {
  constructor(
    address: URL,
    readonly status: number,
    expected: string,
    text: string,
  ) {
    // HTML isn't readable, and a successful response may contain tokens.
    const isShown = status >= 400 && !/^\s*[<{]/u.test(text)
    const citation = isShown ? cutProse(text, MAX_CITATION_LENGTH) : ''
    super(
      'SIGN_IN_FAILED',
      `${address.origin}${address.pathname} returned ${status} without ${expected}.`,
      { hint: citation === '' ? 'Try again later.' : `Server message: ${citation}` },
    )
  }
}

/**
 * The `fetch` of a sign-in: bounded in size and time, without the user's headers, and only to https or the server's own origin. JSON
 * arrives cleaned: an optional member that is null, "" or invalid is absent. Rejects with an `UnexpectedAnswerError` if a token or
 * registration response has an unknown form. Callers follow redirects themselves through this function.
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
    maxMessageBytes: MAX_ANSWER_BYTES,
    maxTotalMs: MAX_ANSWER_MS,
  })
  return async (input, init = {}) => {
    const address = new URL(input, server)
    if (!mayAsk(address, server)) throw passedOn(rejectedAddress(address))
    const signals = [init.signal, signal].filter((one) => one !== null && one !== undefined)
    const limits = signals.length > 0 ? { signal: AbortSignal.any(signals) } : {}
    let response: Response
    let text: string
    try {
      response = await bounded(address, { ...init, ...limits, redirect: 'manual' })
      text = await response.text()
    } catch (error) {
      const known = remoteFailure(error, address)
      throw known ? passedOn(known) : error
    }
    const document = jsonObjectIn(text)
    const registration = registrationIn(init)
    const isGrant = registration !== undefined || init.body instanceof URLSearchParams
    const read = document && (isGrant ? grantIn(document, registration) : cleaned(document))
    const expected = isGrant ? missingIn(read, response, registration !== undefined) : undefined
    if (expected !== undefined)
      throw new UnexpectedAnswerError(address, response.status, expected, text)
    return withText(response, read ? JSON.stringify(read) : text)
  }
}

/** The client in a registration request of the SDK. */
function registrationIn({ body, headers }: RequestInit): JsonObject | undefined {
  const isJson = new Headers(headers).get('content-type') === 'application/json'
  return isJson && typeof body === 'string' ? jsonObjectIn(body) : undefined
}

function grantIn(document: JsonObject, registration: JsonObject | undefined): JsonObject {
  const grant = Grant.parse(document)
  // OAuth defines no other type of bearer token (RFC 6750).
  if (grant.access_token !== undefined)
    return { ...grant, token_type: grant.token_type ?? 'Bearer' }
  return { ...grant, redirect_uris: registration?.redirect_uris }
}

/** The required member that a token or registration response lacks. */
function missingIn(
  grant: JsonObject | undefined,
  { ok, status }: Response,
  isRegistration: boolean,
): string | undefined {
  if (status >= 300 && status < 400) return undefined
  if (isRegistration) return ok && grant?.client_id === undefined ? 'a client_id' : undefined
  if (grant?.error !== undefined || (ok && grant?.access_token !== undefined)) return undefined
  return ok ? 'an access_token' : 'an OAuth error'
}

/** Removes members that are null or "", and null elements of lists. */
function cleaned(document: JsonObject): JsonObject {
  const members = Object.entries(document).flatMap(([name, value]) => {
    if (value === null || value === '') return []
    const list: unknown = Array.isArray(value) ? value.filter((one) => one !== null) : value
    return [[name, list] as const]
  })
  return Object.fromEntries(members)
}

/** Undefined for anything but a finite number. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function withText(response: Response, text: string): Response {
  const { status, statusText, headers } = response
  const isEmpty = text === ''
  const copy = new Response(isEmpty ? null : text, { status, statusText, headers })
  return Object.defineProperty(copy, 'url', { value: response.url })
}

/** The SDK doesn't mistake a `TypeError` for missing metadata. */
function passedOn(cause: AppError): TypeError {
  return new TypeError(cause.message, { cause })
}

function rejectedAddress({ protocol, host }: URL): AppError {
  return new AppError(
    'SIGN_IN_FAILED',
    `The server’s sign-in address isn’t allowed: ${protocol}//${host}`,
    {
      hint: 'Sign-in requires https. The server is faulty or malicious; report it to its authors.',
    },
  )
}
