import {
  InsufficientScopeError,
  ProtocolError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { causesOf, type FetchFailure, fetchFailure, isNeverReached } from '../network/fetch-failure'
import { cutProse, messageOf } from './describe-failure'
import { UnreachedError } from './unreached-error'

const LONGEST_CITATION = 300

/** No answer came in time. */
export class ResponseTimeoutError extends Error {
  override readonly name = 'ResponseTimeoutError'
  constructor(readonly limitMs: number) {
    super(`No whole answer came within ${String(limitMs / 1_000)} s.`)
  }
}

/** A request was refused with a status; `text` is the start of what came with it. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError'
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(`The request was refused with status ${status}.`)
  }
}

/** What answers is no MCP server: the type of its answer is another. */
export class NotMcpError extends Error {
  override readonly name = 'NotMcpError'
  constructor(contentType: string | null) {
    super(contentType === null ? 'its answer has no type' : `its answer is of type ${contentType}`)
  }
}

/** The statuses by which a server says that it is not spoken to this way, and the older transport is tried (MCP, transports, backwards compatibility). */
const OTHER_TRANSPORT = [400, 404, 405, 406, 415]

/** Whether a first request was refused as by a server that speaks the other HTTP transport. */
export function isOtherTransport(error: unknown): boolean {
  if (error instanceof NotMcpError) return true
  return error instanceof HttpStatusError && OTHER_TRANSPORT.includes(error.status)
}

const ABOUT_SESSION = /\bsession\b/iu
const IS_GONE =
  /not found|no (?:valid |active |such )?session|(?:in|not )valid|unknown|expired|closed|terminated|missing|required|does(?: not|n.t) exist|not initialized|no longer/iu
/** What servers answer in place of 404 where they no longer know a session. */
const GONE_STATUSES = [400, 409, 410, 422, 500, 502, 503]
const SESSION_NOT_FOUND = -32_001

/** Whether a text says that the session of a request is not known (any more). */
function speaksOfLostSession(text: string): boolean {
  return ABOUT_SESSION.test(text) && IS_GONE.test(text)
}

/**
 * Whether a server no longer knows the session that a refused request named: 404 (MCP, session management), or another
 * refusal whose text says so. A request that is refused this way was never executed.
 */
export function isSessionLost(status: number, text: string): boolean {
  return status === 404 || (GONE_STATUSES.includes(status) && speaksOfLostSession(text))
}

/** Whether the failure of a request is the refusal of a session that the server no longer knows. */
export function isSessionExpired(error: unknown): boolean {
  if (error instanceof ProtocolError)
    return error.code === SESSION_NOT_FOUND && speaksOfLostSession(error.message)
  return error instanceof HttpStatusError && isSessionLost(error.status, error.text)
}

/** The server has forgotten the session of a request, which it never executed: the next session can send it again. */
export class SessionExpiredError extends AppError {
  constructor({ host }: URL) {
    super('REMOTE_FAILED', `${host} has forgotten the session.`, {
      hint: 'Patchbay opens a new one automatically. Try again in a moment.',
    })
  }
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

/** A server takes no request without that a person signs in, or types what it wants. */
export class SignInNeededError extends AppError {
  /** Of the server. */
  readonly host: string

  /** `words` say it where more is known than the refusal of one request. */
  constructor(
    { host }: URL,
    cause?: unknown,
    words?: { readonly message: string; readonly hint: string },
  ) {
    const wantsMore = cause instanceof InsufficientScopeError
    const message = wantsMore
      ? `${host} asks for more rights than the sign-in gave (403).`
      : `${host} asks for a sign-in (401).`
    const hint = wantsMore
      ? 'Sign in again: it asks for them then.'
      : 'Sign in. Where it takes a token or key, check that under Configure: it is missing, wrong or expired.'
    super('SIGN_IN_NEEDED', words?.message ?? message, { cause, hint: words?.hint ?? hint })
    this.host = host
  }
}

function oneFailure(error: unknown, url: URL): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof ResponseTimeoutError) return noAnswer(url, error)
  return ofHttp(error, url) ?? ofFetch(error, url)
}

function ofHttp(error: unknown, url: URL): AppError | undefined {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError)
    return new SignInNeededError(url, error)
  if (error instanceof HttpStatusError) return refusedWith(error, url)
  return error instanceof NotMcpError ? noMcp(url, error) : undefined
}

function ofFetch(error: unknown, url: URL): AppError | undefined {
  const failure = fetchFailure(error)
  if (failure) return ofSystem(failure, error, url)
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

function noMcp(url: URL, cause: NotMcpError): AppError {
  return new AppError(
    'REMOTE_REFUSED',
    `${url.host} answers, but not as an MCP server: ${messageOf(cause)}.`,
    {
      cause,
      hint: 'Check the address: a web page is often one path away. Behind a sign-in page of a network, sign in there first.',
    },
  )
}

function refusedWith(error: HttpStatusError, url: URL): AppError {
  const { status, text } = error
  if (status === 401) return new SignInNeededError(url, error)
  const said = text === '' ? '' : ` It says: ${cutProse(text, LONGEST_CITATION)}`
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

function ofSystem({ kind, code, words }: FetchFailure, cause: unknown, url: URL): AppError {
  switch (kind) {
    case 'certificate':
      return new AppError(
        'REMOTE_UNTRUSTED',
        `${url.host} cannot be trusted: ${words} (${code}).`,
        {
          cause,
          hint: 'Nothing was sent. Where your company signs its own certificates, add its authority under Settings, Network.',
        },
      )
    case 'tls':
      return new AppError(
        'REMOTE_UNTRUSTED',
        `${url.host} speaks no TLS that this computer takes (${code}).`,
        {
          cause,
          hint: 'Nothing was sent. Check whether the address should begin with http: or names another port.',
        },
      )
    case 'unreachable':
      return unreachable(url, `${words} (${code})`, cause, code)
  }
}

function unreachable(url: URL, why: string, cause: unknown, code?: string): AppError {
  const message = `${url.host} cannot be reached: ${why}.`
  const details = { cause, hint: 'Check the address and the network.' }
  return isNeverReached(code)
    ? new UnreachedError(url, message, details)
    : new AppError('REMOTE_UNREACHABLE', message, details)
}
