import {
  assertSecureTokenEndpoint,
  type FetchLike,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client'
import * as z from 'zod'

import { issuerMetadata } from './discover-issuer'
import type { Client, SignedIn } from './sign-in-record'

/** How tokens are taken back (RFC 8414, 2); it stands in what OpenID providers tell, too. */
const Revocation = z.object({
  revocation_endpoint: z.url().optional(),
  revocation_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})

/**
 * Takes tokens back at their issuer (RFC 7009): the refresh token with all that came from it, then the access token.
 * False where the issuer offers no way or refuses; rejects when it cannot be reached.
 */
export async function revokeTokens(signedIn: SignedIn, fetchFn: FetchLike): Promise<boolean> {
  const { client, accessToken, refreshToken } = signedIn
  const metadata = await issuerMetadata(signedIn, fetchFn)
  const offer = Revocation.safeParse(metadata).data
  if (offer?.revocation_endpoint === undefined) return false
  const address = assertSecureTokenEndpoint(offer.revocation_endpoint)
  const methods =
    offer.revocation_endpoint_auth_methods_supported ?? offer.token_endpoint_auth_methods_supported
  const method = selectClientAuthMethod(client, methods ?? [])
  const tokens = [
    ['refresh_token', refreshToken],
    ['access_token', accessToken],
  ] as const
  let isRevoked = true
  for (const [token_type_hint, token] of tokens) {
    if (token === undefined) continue
    const { headers, body } = requestFor(method, client, { token, token_type_hint })
    const response = await fetchFn(address, { method: 'POST', headers, body })
    await response.body?.cancel()
    isRevoked &&= response.ok
  }
  return isRevoked
}

function requestFor(
  method: ReturnType<typeof selectClientAuthMethod>,
  { client_id, client_secret = '' }: Client,
  fields: Readonly<Record<string, string>>,
): { readonly headers: Headers; readonly body: string } {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  const form = new URLSearchParams(fields)
  if (method === 'client_secret_basic') {
    // As the SDK does for tokens: what was taken there is taken here.
    const pair = `${client_id}:${client_secret}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  } else form.set('client_id', client_id)
  if (method === 'client_secret_post') form.set('client_secret', client_secret)
  return { headers, body: form.toString() }
}
