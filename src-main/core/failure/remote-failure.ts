import {
  InsufficientScopeError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { cutProse, messageOf } from './describe-failure'
import { isNeverReached, UnreachedError } from './unreached-error'

const LONGEST_CITATION = 300

/** No answer came in time. */
export class ResponseTimeoutError extends Error {
  override readonly name = 'ResponseTimeoutError'
  constructor(readonly limitMs: number) {
    super(`No whole answer came within ${String(limitMs / 1_000)} s.`)
  }
}

/** The statuses by which a server says that it is not spoken to this way, and the older transport is tried (MCP, transports, backwards compatibility). */
const OTHER_TRANSPORT = [400, 404, 405, 406, 415]

/** Whether a first request was refused as by a server that speaks the other HTTP transport. */
export function isOtherTransport(error: unknown): boolean {
  if (error instanceof SseError)
    return error.code === undefined || OTHER_TRANSPORT.includes(error.code)
  if (!(error instanceof SdkError)) return false
  if (error.code === SdkErrorCode.ClientHttpUnexpectedContent) return true
  return error instanceof SdkHttpError && OTHER_TRANSPORT.includes(error.status)
}

/** Whether a server no longer knows the session that a request named (MCP, session management). */
export function isSessionExpired(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404
}

/**
 * Why a remote server could not be spoken to, in Patchbay's words: REMOTE_UNREACHABLE, REMOTE_UNTRUSTED,
 * SIGN_IN_NEEDED, REMOTE_REFUSED, REMOTE_FAILED or MESSAGE_TOO_LARGE; undefined for what is no failure of the connection.
 */
export function remoteFailure(error: unknown, url: URL): AppError | undefined {
  for (const cause of causesOf(error)) {
    const found = oneFailure(cause, url)
    if (found) return found
  }
  return undefined
}

/** An error with what it says it comes from, outermost last. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let one = error; one !== undefined && one !== null && causes.length < 8;) {
    causes.unshift(one)
    one = one instanceof Error ? one.cause : undefined
  }
  return causes
}

/** A server takes no request without that a person signs in, or types what it wants. */
export class SignInNeededError extends AppError {
  /** Of the server. */
  readonly host: string

  constructor({ host }: URL, cause?: unknown) {
    const wantsMore = cause instanceof InsufficientScopeError
    super(
      'SIGN_IN_NEEDED',
      wantsMore
        ? `${host} asks for more rights than the sign-in gave (403).`
        : `${host} asks for a sign-in (401).`,
      {
        cause,
        hint: wantsMore
          ? 'Sign in again: it asks for them then.'
          : 'Sign in. Where it takes a token or key, check that under Configure: it is missing, wrong or expired.',
      },
    )
    this.host = host
  }
}

function oneFailure(error: unknown, url: URL): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof ResponseTimeoutError) return noAnswer(url, error)
  return ofSdk(error, url) ?? ofFetch(error, url)
}

function ofSdk(error: unknown, url: URL): AppError | undefined {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError)
    return new SignInNeededError(url, error)
  if (error instanceof SdkHttpError) return refusedWith(error.status, error, url)
  if (error instanceof SseError && error.code !== undefined && error.code >= 400)
    return refusedWith(error.code, error, url)
  const isOther =
    error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent
  return isOther ? noMcp(url, error) : undefined
}

function ofFetch(error: unknown, url: URL): AppError | undefined {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code === 'string') return ofSystem(code, error, url)
  return error instanceof TypeError && error.message === 'fetch failed'
    ? unreachable(url, messageOf(error.cause ?? error), error)
    : undefined
}

function noAnswer(url: URL, cause: ResponseTimeoutError): AppError {
  return new AppError(
    'REMOTE_UNREACHABLE',
    `${url.host} did not answer in time. ${cause.message}`,
    {
      cause,
      hint: 'It is down or very busy.',
    },
  )
}

function noMcp(url: URL, cause: SdkError): AppError {
  return new AppError(
    'REMOTE_REFUSED',
    `${url.host} answers, but not as an MCP server: ${messageOf(cause)}.`,
    {
      cause,
      hint: 'Check the address: a web page is often one path away. Behind a sign-in page of a network, sign in there first.',
    },
  )
}

function refusedWith(status: number, error: SdkHttpError | SseError, url: URL): AppError {
  if (status === 401) return new SignInNeededError(url, error)
  const text = error instanceof SdkHttpError ? error.data.text : undefined
  const said =
    typeof text === 'string' && text !== '' ? ` It says: ${cutProse(text, LONGEST_CITATION)}` : ''
  if (status >= 500 || status === 429) {
    return new AppError('REMOTE_FAILED', `${url.host} failed (${status}).${said}`, {
      cause: error,
      hint:
        status === 429
          ? 'It gets more requests than it takes. Wait a while.'
          : 'The fault is the server’s.',
    })
  }
  if (status === 403) {
    return new AppError('REMOTE_REFUSED', `${url.host} refused the request (403).${said}`, {
      cause: error,
      hint: 'What was typed under Configure is known there, and may not do this.',
    })
  }
  if (status >= 300 && status < 400) {
    return new AppError(
      'REMOTE_REFUSED',
      `${url.host} leads to another address (${status}), which is not followed.`,
      {
        cause: error,
        hint: 'What was typed for this server goes to no other. Where the server moved, set its new address.',
      },
    )
  }
  return new AppError('REMOTE_REFUSED', `${url.host} refused the request (${status}).${said}`, {
    cause: error,
    hint: 'Check the address and what was typed under Configure.',
  })
}

const UNTRUSTED: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; the clock of this computer may be wrong',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an authority that this computer does not know',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate cannot be verified: a part of the chain is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate comes from an authority that this computer does not know',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_REVOKED: 'its certificate was revoked',
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known (DNS)',
  EAI_AGAIN: 'its name could not be looked up; this computer may be offline',
  ECONNREFUSED: 'nothing answers there',
  ECONNRESET: 'the connection was cut',
  ENETUNREACH: 'there is no way to it; this computer may be offline',
  EHOSTUNREACH: 'there is no way to it',
  EHOSTDOWN: 'there is no way to it',
  EADDRNOTAVAIL: 'this computer has no address to reach it from',
  ENETDOWN: 'this computer is offline',
  ETIMEDOUT: 'it did not answer in time',
  EPIPE: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of its answer',
  UND_ERR_SOCKET: 'the connection was cut',
  PROXY_UNUSABLE: 'the proxy that this computer names cannot be used',
}

function ofSystem(code: string, cause: unknown, url: URL): AppError | undefined {
  const untrusted = Object.hasOwn(UNTRUSTED, code) ? UNTRUSTED[code] : undefined
  if (untrusted !== undefined) {
    return new AppError(
      'REMOTE_UNTRUSTED',
      `${url.host} cannot be trusted: ${untrusted} (${code}).`,
      {
        cause,
        hint: 'Nothing was sent. Where your company signs its own certificates, add its authority to those of the system.',
      },
    )
  }
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') {
    return new AppError(
      'REMOTE_UNTRUSTED',
      `${url.host} speaks no TLS that this computer takes (${code}).`,
      {
        cause,
        hint: 'Nothing was sent. Check whether the address should begin with http: or names another port.',
      },
    )
  }
  const why = Object.hasOwn(UNREACHABLE, code) ? UNREACHABLE[code] : undefined
  return why === undefined ? undefined : unreachable(url, `${why} (${code})`, cause, code)
}

function unreachable(url: URL, why: string, cause: unknown, code?: string): AppError {
  const message = `${url.host} cannot be reached: ${why}.`
  const details = { cause, hint: 'Check the address and the network.' }
  return isNeverReached(code)
    ? new UnreachedError(url, message, details)
    : new AppError('REMOTE_UNREACHABLE', message, details)
}
