import { type FetchLike, refreshAuthorization } from '@modelcontextprotocol/client'

import { issuerMetadata } from './discover-issuer'
import type { SignedIn } from './sign-in-record'

/**
 * Exchanges a refresh token for new tokens, at the issuer of the old ones alone (OAuth 2.1, 4.3). Rejects with the
 * SDK's error; where the server rotates its refresh tokens, the old one is of no more use once this resolves.
 */
export async function refreshTokens(
  before: SignedIn & { readonly refreshToken: string },
  fetchFn: FetchLike,
  now: () => number,
): Promise<SignedIn> {
  const { authorizationServerUrl, client, refreshToken, resource } = before
  const metadata = await issuerMetadata(before, fetchFn)
  const tokens = await refreshAuthorization(authorizationServerUrl, {
    ...(metadata && { metadata }),
    clientInformation: client,
    refreshToken,
    ...(resource !== undefined && { resource }),
    fetchFn,
  })
  const issuedAt = now()
  const { expires_in } = tokens
  return {
    ...before,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? refreshToken,
    scope: tokens.scope ?? before.scope,
    issuedAt,
    expiresAt: expires_in === undefined ? undefined : issuedAt + expires_in * 1_000,
  }
}
