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
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import { cutProse, messageOf } from '../failure/describe-failure'
import { remoteFailure } from '../failure/remote-failure'

const LONGEST_CITATION = 300
const LONGEST_CODE = 60
/** What the SDK throws for metadata or tokens that do not hold what they must: an error of its own zod. */
const Unreadable = z.object({
  name: z.enum(['ZodError', '$ZodError']),
  issues: z.array(z.object({ path: z.array(z.coerce.string()), message: z.string() })).min(1),
})
/** Refusals that are of the moment; a server that answers no OAuth counts as one, too. */
const PASSING: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]

/** Whether an authorization server refused for good, and not because something is wrong just now. */
export function isRefusal(error: unknown): error is OAuthError {
  return error instanceof OAuthError && !PASSING.includes(error.code)
}

/** Whether an authorization server does not know the client, or its secret (RFC 6749, 5.2). */
export function isUnknownClient(error: unknown): boolean {
  const codes: readonly string[] = [OAuthErrorCode.InvalidClient, OAuthErrorCode.UnauthorizedClient]
  return error instanceof OAuthError && codes.includes(error.code)
}

/** Why a sign-in did not come about, in Patchbay's words; those of a server are cleaned and cut. */
export function signInFailure(error: unknown, server: URL): AppError {
  if (error instanceof AppError) return error
  // `sign-in-fetch` has told already, and of the host that was asked, which need not be the server's.
  if (error instanceof TypeError && error.cause instanceof AppError) return error.cause
  if (error instanceof IssuerMismatchError || error instanceof AuthorizationServerMismatchError) {
    return failed(
      'The answer does not come from the authorization server that was asked, and was refused.',
      'Nothing was signed in. Someone may be trying to take your sign-in to another server. Tell the makers of this one.',
      error,
    )
  }
  if (error instanceof InsecureTokenEndpointError) {
    return failed(
      `${server.host} names a token address that is not https, and nothing was sent there.`,
      'This is a fault of the server. Tell its makers.',
      error,
    )
  }
  if (error instanceof RegistrationRejectedError) {
    return failed('Patchbay could not be registered there.', hintOf(messageOf(error)), error)
  }
  if (error instanceof OAuthError) return refused(error.code, error.message, error)
  const issue = Unreadable.safeParse(error).data?.issues[0]
  if (issue) {
    return failed(
      `${server.host} tells its sign-in in a way that cannot be used (${cutProse(issue.path.join('.'), 60)}).`,
      `This is a fault of the server. ${cutProse(issue.message, LONGEST_CITATION)}`,
      error,
    )
  }
  return (
    remoteFailure(error, server) ??
    failed(
      `${server.host} cannot be signed in at: ${cutProse(messageOf(error), LONGEST_CITATION)}`,
      'It tells no sign-in that can be used. Where it takes a token or key, set that under Configure.',
      error,
    )
  )
}

/** The authorization server's own refusal, by its error code (RFC 6749, 4.1.2.1) and its words. */
export function refused(code: string, said: string, cause?: unknown): AppError {
  if (code === 'access_denied') {
    return failed(
      'The sign-in was denied on the authorization page.',
      said === '' || said === code ? 'Sign in again, and allow it there.' : hintOf(said),
      cause,
    )
  }
  const name = cleanLine(code.slice(0, LONGEST_CODE))
  return failed(`The authorization server refused the sign-in (${name}).`, hintOf(said), cause)
}

/** The time for a sign-in is over. */
export function lateFailure(): AppError {
  return failed('No answer came within 5 minutes, so the sign-in was given up.', 'Sign in again.')
}

function failed(message: string, hint: string, cause?: unknown): AppError {
  return new AppError('SIGN_IN_FAILED', message, { hint, cause })
}

function hintOf(said: string): string {
  return said === ''
    ? 'It gives no reason. Try again.'
    : `It says: ${cutProse(said, LONGEST_CITATION)}`
}
