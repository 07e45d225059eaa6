import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client'
import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import type { SignInStep } from '../../../src-shared/domain/running/sign-in'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import { cutProse, messageOf } from '../failure/describe-failure'
import { remoteFailure, SignInNeededError } from '../failure/remote-failure'
import { jsonObjectIn } from './find-metadata'
import { UnexpectedAnswerError } from './sign-in-fetch'

const MAX_CITATION_LENGTH = 300
const MAX_CODE_LENGTH = 60
/** The SDK throws its own zod error for invalid metadata or tokens. */
const Unreadable = z.object({
  name: z.enum(['ZodError', '$ZodError']),
  issues: z.array(z.object({ path: z.array(z.coerce.string()), message: z.string() })).min(1),
})
const INVALID_GRANT: string = OAuthErrorCode.InvalidGrant
/** Temporary errors. */
const PASSING: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]

/** A rejection by the authorization page, with its error code (RFC 6749, 4.1.2.1) and text. */
export class RejectedError extends Error {
  override readonly name = 'RejectedError'
  constructor(
    readonly code: string,
    readonly description: string,
  ) {
    super(description === '' ? code : description)
  }
}

/** The server's metadata names another address than the configured one (RFC 9728, 3.3). */
export class OtherAddressError extends AppError {
  readonly step: Extract<SignInStep, { kind: 'otherAddress' }>
  constructor(
    expected: URL,
    named: URL,
    /** The addresses differ only in scheme or in the name of this computer. */
    readonly isSameHost: boolean,
  ) {
    const [own, other] = [expected, named].map((url) => cutProse(url.href, MAX_CITATION_LENGTH))
    super(
      'SIGN_IN_FAILED',
      `The sign-in information is for another address: ${String(other)}, not ${String(own)}.`,
      {
        hint: isSameHost
          ? `Use ${String(other)} as the server’s address if you trust it.`
          : 'Nothing was sent. Check the server’s address; if it is right, report this to its authors.',
      },
    )
    this.step = { kind: 'otherAddress', expected: expected.href, named: named.href }
  }
}

/**
 * Classifies a rejected refresh: the grant is gone (`grant`), another part of the request is wrong and the user has to change it
 * (`request`), or a later try may work (`later`).
 */
export function refusalOf(error: unknown): 'grant' | 'request' | 'later' {
  if (error instanceof UnexpectedAnswerError)
    return error.status >= 400 && error.status < 500 ? 'request' : 'later'
  if (!(error instanceof OAuthError) || PASSING.includes(error.code)) return 'later'
  return error.code === INVALID_GRANT ? 'grant' : 'request'
}

/** The error of every request after the sign-in at `server` was rejected for good. */
export function rejectedSignIn(server: URL, error: unknown): SignInNeededError {
  const isLost = refusalOf(error) === 'grant'
  const code =
    error instanceof OAuthError ? ` (${cleanLine(error.code.slice(0, MAX_CODE_LENGTH))})` : ''
  const description = error instanceof OAuthError ? withoutAddress(error.message) : messageOf(error)
  return new SignInNeededError(server, error, {
    message: isLost
      ? `The sign-in at ${server.host} is no longer accepted${code}.`
      : `The sign-in at ${server.host} couldn’t be renewed${code}.`,
    hint: description === '' ? 'Sign in again.' : `Sign in again. ${hintOf(description)}`,
  })
}

/** The token of the sign-in at `server` has expired, and no refresh token came with it. */
export function expiredSignIn(server: URL): SignInNeededError {
  return new SignInNeededError(server, undefined, {
    message: `The sign-in at ${server.host} has expired.`,
    hint: 'Sign in again.',
  })
}

/** Whether a registration was rejected for its client metadata (RFC 7591, 3.2.2). */
export function isInvalidClientMetadata(error: unknown): boolean {
  if (!(error instanceof RegistrationRejectedError)) return false
  return jsonObjectIn(error.body)?.error === OAuthErrorCode.InvalidClientMetadata
}

/** Whether a registration was rejected for its redirect (RFC 7591, 3.2.2). */
export function refusesRedirect(error: unknown): boolean {
  if (!(error instanceof RegistrationRejectedError)) return false
  const { error: code, error_description: description } = jsonObjectIn(error.body) ?? {}
  if (code === 'invalid_redirect_uri') return true
  return code === OAuthErrorCode.InvalidClientMetadata && /redirect/iu.test(String(description))
}

/** Whether an authorization server rejects the client or its secret (RFC 6749, 5.2). */
export function isUnknownClient(error: unknown): boolean {
  const codes: readonly string[] = [OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient]
  return error instanceof OAuthError && codes.includes(error.code)
}

/** Turns any error of a sign-in into an `AppError`; text from a server is cleaned and shortened. */
export function signInFailure(error: unknown, server: URL): AppError {
  if (error instanceof AppError) return error
  // `sign-in-fetch` has already named the requested host, which may differ from the server's.
  if (error instanceof TypeError && error.cause instanceof AppError) return error.cause
  if (error instanceof IssuerMismatchError) return mismatch(error, error.expected, error.received)
  if (error instanceof AuthorizationServerMismatchError)
    return mismatch(error, error.recordedIssuer, error.currentIssuer)
  if (error instanceof InsecureTokenEndpointError) {
    return failed(
      `${server.host} uses a token URL without https, so nothing was sent.`,
      'The fault is in the server. Report it to its authors.',
      error,
    )
  }
  if (error instanceof RegistrationRejectedError) return unregistered(error)
  if (error instanceof RejectedError) return rejected(error.code, error.description, error)
  if (error instanceof OAuthError) return rejected(error.code, withoutAddress(error.message), error)
  const issue = Unreadable.safeParse(error).data?.issues[0]
  if (issue) {
    return failed(
      `The authorization server’s response has no valid ${cutProse(issue.path.join('.'), 60)}.`,
      'The fault is in the server. Report it to its authors.',
      error,
    )
  }
  return (
    remoteFailure(error, server) ??
    failed(
      `Can’t sign in to ${server.host}: ${cutProse(messageOf(error), MAX_CITATION_LENGTH)}`,
      'If the server uses a token or key, set it under Configure.',
      error,
    )
  )
}

function unregistered(error: RegistrationRejectedError): AppError {
  const { error: code, error_description: description } = jsonObjectIn(error.body) ?? {}
  const texts = [code, description].filter((one) => typeof one === 'string')
  return failed(
    `The authorization server did not register Patchbay (HTTP ${error.status}).`,
    hintOf(texts.join(': ')),
    error,
  )
}

/** The authorization server's rejection, by its error code (RFC 6749, 4.1.2.1) and text. */
function rejected(code: string, description: string, cause?: unknown): AppError {
  if (code === 'access_denied') {
    return failed(
      'The sign-in was denied on the authorization page.',
      description === '' || description === code
        ? 'Sign in again, and allow access.'
        : hintOf(description),
      cause,
    )
  }
  const name = cleanLine(code.slice(0, MAX_CODE_LENGTH))
  return failed(
    `The authorization server rejected the sign-in (${name}).`,
    hintOf(description),
    cause,
  )
}

/** Another issuer answered; one of another origin may be an attack (RFC 9207). */
function mismatch(error: Error, expected = 'none', received = 'none'): AppError {
  const [one, other] = [expected, received].map((text) =>
    cleanLine(text.slice(0, MAX_CITATION_LENGTH)),
  )
  const isOtherOrigin = originOf(expected) !== originOf(received) && received !== 'none'
  return failed(
    `The response came from another authorization server: expected "${one}", received "${other}".`,
    isOtherOrigin
      ? 'You were not signed in. Someone may be trying to steal your sign-in; report it to the server’s authors.'
      : 'You were not signed in. The two addresses must match; report it to the server’s authors.',
    error,
  )
}

function originOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).origin : issuer
}

/** The SDK replaces text that it can't parse by the parser's error; this cuts that off. */
function withoutAddress(message: string): string {
  const [head = '', ...parsed] = message.split(': Invalid OAuth error response')
  return parsed.length > 0 ? `${head}, without an OAuth error` : message
}

/** The sign-in timed out. */
export function lateFailure(): AppError {
  return failed('The sign-in timed out after 5 minutes.', 'Sign in again.')
}

function failed(message: string, hint: string, cause?: unknown): AppError {
  return new AppError('SIGN_IN_FAILED', message, { hint, cause })
}

function hintOf(description: string): string {
  return description === ''
    ? 'No reason was given. Try again.'
    : `Server message: ${cutProse(description, MAX_CITATION_LENGTH)}`
}
