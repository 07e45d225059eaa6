import {
  InsufficientScopeError,
  ProtocolError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { jsonIn } from '../../../src-shared/domain/attempt'
import { isJsonObject } from '../../../src-shared/domain/json-object'
import { causesOf, type FetchFailure, fetchFailure, isNeverReached } from '../network/fetch-failure'
import { cutProse, messageOf } from './describe-failure'
import { ExplainedError } from './explained-error'
import { UnreachedError } from './explained-error'
import { isBotCheckPage, pageTitle, type RefusalHeaders } from './http-refusal'

const MAX_CITATION_LENGTH = 300

/** No response came in time. */
export class ResponseTimeoutError extends Error {
  override readonly name = 'ResponseTimeoutError'
  constructor(readonly limitMs: number) {
    super(`The complete response did not arrive within ${String(limitMs / 1_000)} s.`)
  }
}

/** A request was rejected with a status; `text` is the beginning of the body. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError'
  constructor(
    readonly status: number,
    readonly text: string,
    readonly headers: RefusalHeaders = {},
  ) {
    super(`The request was rejected with status ${status}.`)
  }
}

/** Whether a server, or a check before it, wants fewer requests, so the next wait is longer. */
export function isBusyRefusal({ status, text, headers }: HttpStatusError): boolean {
  return status === 429 || status === 503 || headers.isBotCheck === true || isBotCheckPage(text)
}

/** The response isn't from an MCP server: it has another content type. */
export class NotMcpError extends Error {
  override readonly name = 'NotMcpError'
  constructor(contentType: string | null) {
    super(
      contentType === null
        ? 'the response has no content type'
        : `the response has content type ${contentType}`,
    )
  }
}

/** Statuses of a server that doesn't support the transport, so the older one is tried (MCP, transports, backwards compatibility). */
const OTHER_TRANSPORT = [400, 404, 405, 406, 415]

/** Whether the first request was rejected by a server of the other HTTP transport. */
export function isOtherTransport(error: unknown): boolean {
  if (error instanceof NotMcpError) return true
  return error instanceof HttpStatusError && OTHER_TRANSPORT.includes(error.status)
}

const ABOUT_SESSION = /session/iu
const IS_LOST =
  /not.?found|no (?:valid |active |such )?session|(?:in|not )valid|unknown|expired|closed|terminated|missing|required|does(?: not|n.t) exist|(?:not|un)initialized|no longer|no such|not recogni[sz]ed|unrecogni[sz]ed|stale|lost|gone|re-?initiali[sz]e|initiali[sz]e (?:again|first)/iu
/** Words about a user's sign-in session, which a new MCP session doesn't help. */
const ABOUT_SIGN_IN =
  /\b(?:cookies?|sign(?:ed)?.?in|log(?:ged)?.?in|credentials?|password|token)\b/iu
/** Statuses besides 4xx that servers use for an unknown session. */
const LOST_STATUSES = [500, 502, 503]
const SESSION_NOT_FOUND = -32_001

/** Whether a text says that the request's session is unknown. */
function reportsLostSession(text: string): boolean {
  return ABOUT_SESSION.test(text) && IS_LOST.test(text) && !ABOUT_SIGN_IN.test(text)
}

/**
 * Whether a server no longer knows the session of a rejected request: 404 (MCP, session management), or another rejection whose text says
 * so. Such a request was never executed.
 */
export function isSessionLost(status: number, text: string): boolean {
  const mayBeLost = (status >= 400 && status < 500) || LOST_STATUSES.includes(status)
  return status === 404 || (mayBeLost && reportsLostSession(text))
}

/** Whether an error says that the server no longer knows the session. */
export function isSessionExpired(error: unknown): boolean {
  if (error instanceof ProtocolError)
    return error.code === SESSION_NOT_FOUND && reportsLostSession(error.message)
  return error instanceof HttpStatusError && isSessionLost(error.status, error.text)
}

/** The server has forgotten the session of a request, which it never executed: the next session can send it again. */
export class SessionExpiredError extends AppError {
  constructor({ host }: URL) {
    super('REMOTE_FAILED', `${host} no longer knows the session.`, {
      hint: 'Patchbay opens a new session automatically. Try again in a moment.',
    })
  }
}

/**
 * Describes the failure of a remote server: REMOTE_UNREACHABLE, REMOTE_UNTRUSTED, SIGN_IN_NEEDED, REMOTE_REFUSED, REMOTE_FAILED or
 * MESSAGE_TOO_LARGE; undefined for other errors.
 */
export function remoteFailure(error: unknown, url: URL): AppError | undefined {
  for (const cause of causesOf(error)) {
    const found = oneFailure(cause, url)
    if (found) return found
  }
  return undefined
}

/** A server requires a sign-in or a key. */
export class SignInNeededError extends AppError {
  /** Host of the server. */
  readonly host: string

  /** `words` replaces the default text if more is known than one rejected request. */
  constructor(
    { host }: URL,
    cause?: unknown,
    texts?: { readonly message: string; readonly hint: string },
  ) {
    const wantsMore = cause instanceof InsufficientScopeError
    const message = wantsMore
      ? `${host} requires more permissions than the sign-in granted (403).`
      : `${host} requires sign-in (401).`
    const hint = wantsMore
      ? 'Sign in again to grant them.'
      : 'Sign in. If the server uses a token or key, check it under Configure.'
    super('SIGN_IN_NEEDED', texts?.message ?? message, { cause, hint: texts?.hint ?? hint })
    this.host = host
  }
}

function oneFailure(error: unknown, url: URL): AppError | undefined {
  if (error instanceof AppError) return error
  if (error instanceof ResponseTimeoutError)
    return new AppError(
      'REMOTE_UNREACHABLE',
      `${url.host} did not respond in time. ${error.message}`,
      {
        cause: error,
        hint: 'The server may be down or busy. Try again later.',
      },
    )
  return ofHttp(error, url) ?? ofFetch(error, url)
}

function ofHttp(error: unknown, url: URL): AppError | undefined {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError)
    return new SignInNeededError(url, error)
  if (error instanceof HttpStatusError) return rejectedWith(error, url)
  return error instanceof NotMcpError
    ? new AppError(
        'REMOTE_REFUSED',
        `${url.host} responded, but not as an MCP server: ${messageOf(error)}.`,
        {
          cause: error,
          hint: 'Check the URL, including its path. On a network with a sign-in page, sign in there first.',
        },
      )
    : undefined
}

function ofFetch(error: unknown, url: URL): AppError | undefined {
  const failure = fetchFailure(error)
  if (failure) return ofSystem(failure, error, url)
  return error instanceof TypeError && error.message === 'fetch failed'
    ? unreachable(url, messageOf(error.cause ?? error), error)
    : undefined
}

function rejectedWith(error: HttpStatusError, url: URL): AppError {
  const { status, text, headers } = error
  if (headers.isBotCheck === true || (status !== 401 && isBotCheckPage(text))) {
    return new AppError('REMOTE_FAILED', `A Cloudflare bot check blocks ${url.host} (${status}).`, {
      cause: error,
      hint: 'Ask the server’s operator to let MCP clients through, try another network, or turn off your VPN.',
    })
  }
  if (status === 401) return new SignInNeededError(url, error)
  if (status >= 300 && status < 400) return redirected(error, url)
  const title = pageTitle(text)
  if (title !== undefined) return rejectedWithPage(error, url, title)
  const quoted = messageIn(text)
  const citation = quoted === '' ? '' : ` Server message: ${cutProse(quoted, MAX_CITATION_LENGTH)}`
  if (status >= 500 || status === 429) {
    const isBusy = status === 429 || headers.waitMs !== undefined
    return new AppError('REMOTE_FAILED', `${url.host} failed (${status}).${citation}`, {
      cause: error,
      hint: isBusy
        ? `The server is limiting requests. ${retryMessage(headers.waitMs)}`
        : 'The error is on the server’s side. Try again later.',
    })
  }
  const hint =
    status === 403
      ? 'The account or key under Configure lacks permission for this.'
      : 'Check the URL and the values under Configure.'
  const message = `${url.host} rejected the request (${status}).${citation}`
  return new AppError('REMOTE_REFUSED', message, { cause: error, hint })
}

/** A web page came from the server or a proxy before it; neither says anything about keys. */
function rejectedWithPage(error: HttpStatusError, url: URL, title: string): AppError {
  const { status, headers } = error
  const named = title === '' ? '' : `: ${cutProse(title, MAX_CITATION_LENGTH)}`
  const isPassing = status >= 500 || status === 429
  return new AppError(
    isPassing ? 'REMOTE_FAILED' : 'REMOTE_REFUSED',
    `${url.host} answered with a web page (${status})${named}`,
    {
      cause: error,
      hint: isPassing
        ? retryMessage(headers.waitMs)
        : 'The server, or a firewall before it, refused. Open the URL in a browser to read the page.',
    },
  )
}

const SIGN_IN_PAGE = /\b(?:log-?in|sign-?in|sso|auth|oauth2?|account|idp)\b/iu

/** Credentials go to no other address; the target is named without its query, which may contain some. */
function redirected(error: HttpStatusError, url: URL): AppError {
  const { location } = error.headers
  if (!location) {
    const message = `${url.host} redirects (${error.status}) but names no address to go to.`
    return new AppError('REMOTE_REFUSED', message, { cause: error, hint: 'Check the URL.' })
  }
  const target = cutProse(`${location.origin}${location.pathname}`, MAX_CITATION_LENGTH)
  const isPage = SIGN_IN_PAGE.test(`${location.hostname} ${location.pathname}`)
  if (isPage) {
    return new AppError(
      'REMOTE_REFUSED',
      `${url.host} leads to a sign-in page at ${location.host} (${error.status}): ${target}`,
      {
        cause: error,
        hint: 'The URL is that of a web page, or the server signs in by browser only. Check the URL.',
      },
    )
  }
  return new ExplainedError(
    'REMOTE_REFUSED',
    `${url.host} redirects to another address (${error.status}): ${target}`,
    {
      causeId: 'moved',
      message: 'The server may have moved.',
      step: { kind: 'useAddress', address: target },
      isPermanent: true,
    },
    {
      cause: error,
      hint: `Your credentials are sent only to ${url.host}. If the server moved, use ${target} as its URL.`,
    },
  )
}

function retryMessage(waitMs: number | undefined): string {
  return waitMs === undefined
    ? 'Wait, then try again.'
    : `Try again in ${String(Math.max(1, Math.ceil(waitMs / 1_000)))} s.`
}

/** The text of a rejection: the message of a JSON error, else the body; nothing of a web page. */
function messageIn(text: string): string {
  if (/^\s*</u.test(text)) return ''
  const body = jsonIn(text)
  const { error, message, detail } = isJsonObject(body) ? body : {}
  const inner = isJsonObject(error) ? error.message : error
  const found = [inner, message, detail].find((one) => typeof one === 'string' && one !== '')
  return typeof found === 'string' ? found : text
}

function ofSystem({ kind, code, reason }: FetchFailure, cause: unknown, url: URL): AppError {
  switch (kind) {
    case 'certificate':
      return new AppError('REMOTE_UNTRUSTED', `${url.host} isn’t trusted: ${reason} (${code}).`, {
        cause,
        hint: 'Nothing was sent.',
      })
    case 'tls':
      return new AppError(
        'REMOTE_UNTRUSTED',
        `${url.host} doesn’t support a TLS version that this computer accepts (${code}).`,
        {
          cause,
          hint: 'Nothing was sent. Check whether the URL should start with http: or use another port.',
        },
      )
    case 'unreachable':
      return unreachable(url, `${reason} (${code})`, cause, code)
  }
}

function unreachable(url: URL, why: string, cause: unknown, code?: string): AppError {
  const message = `Can’t reach ${url.host}: ${why}.`
  const details = { cause, hint: 'Check the URL and your network.' }
  return code !== undefined && causesOf(cause).some(isNeverReached)
    ? new UnreachedError(url, message, details)
    : new AppError('REMOTE_UNREACHABLE', message, details)
}
