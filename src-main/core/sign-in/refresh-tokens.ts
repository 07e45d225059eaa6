import {
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client'

import { issuerMetadata } from './discover-issuer'
import { UnexpectedAnswerError } from './sign-in-fetch'
import type { SignedIn } from './sign-in-record'

/** Refusals that a parameter may cause which the server does not know: RFC 8707, 2 and RFC 6749, 5.2. */
const OF_PARAMETERS: readonly string[] = [
  OAuthErrorCode.InvalidTarget,
  OAuthErrorCode.InvalidRequest,
  OAuthErrorCode.InvalidScope,
]

/**
 * Exchanges a refresh token for new tokens, at the issuer of the old ones alone (OAuth 2.1, 4.3). Rejects with the
 * SDK's error or an `UnexpectedAnswerError`. A refusal that is not about the grant is tried once more without `resource`,
 * which the grant remembers (RFC 8707, 2.2). Where the server rotates its refresh tokens, the old one is of no more use once this resolves.
 */
export async function refreshTokens(
  before: SignedIn & { readonly refreshToken: string },
  fetchFn: FetchLike,
  now: () => number,
): Promise<SignedIn> {
  const { authorizationServerUrl, client, refreshToken, resource } = before
  const metadata = await issuerMetadata(before, fetchFn)
  const refresh = (optional: { readonly resource?: string }): Promise<OAuthTokens> =>
    refreshAuthorization(authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken,
      ...optional,
      fetchFn,
    })
  let kept = resource
  const tokens = await refresh(resource === undefined ? {} : { resource }).catch(
    (error: unknown) => {
      if (resource === undefined || !mayBeOfParameters(error)) throw error
      if (error instanceof OAuthError) kept = undefined
      return refresh({})
    },
  )
  const issuedAt = now()
  const { expires_in } = tokens
  return {
    ...before,
    resource: kept,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? refreshToken,
    scope: tokens.scope ?? before.scope,
    issuedAt,
    expiresAt: expires_in === undefined ? undefined : issuedAt + expires_in * 1_000,
  }
}

function mayBeOfParameters(error: unknown): boolean {
  if (error instanceof OAuthError) return OF_PARAMETERS.includes(error.code)
  return error instanceof UnexpectedAnswerError
}
