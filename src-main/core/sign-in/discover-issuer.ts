import {
  type AuthorizationServerMetadata,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  type FetchLike,
  IssuerMismatchError,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client'

import type { SignedIn } from './sign-in-record'

/**
 * Finds who signs people in at a server, as its own metadata names it (RFC 9728); `resourceMetadataUrl` is where that is
 * by the server's word. One of before 2025-06-18 has no such metadata: its own origin tells the sign-in. Rejects with an
 * `IssuerMismatchError` where the issuer's metadata is of another issuer (RFC 8414, 3.3).
 */
export async function discoverIssuer(
  server: URL,
  resourceMetadataUrl: URL | undefined,
  fetchFn: FetchLike,
): Promise<OAuthDiscoveryState> {
  const info = await discoverOAuthServerInfo(server, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    fetchFn,
    // It is checked here, as the SDK knows one rule for all.
    skipIssuerMetadataValidation: true,
  })
  const { authorizationServerUrl: asked, authorizationServerMetadata: metadata } = info
  const isOlder = resourceMetadataUrl === undefined && info.resourceMetadata === undefined
  if (metadata && !isIssuer(metadata, asked) && !(isOlder && isOfOrigin(metadata, server)))
    throw new IssuerMismatchError('metadata', asked, metadata.issuer)
  return { ...info, ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }) }
}

/** What the issuer of tokens says of itself now; rejects with an `IssuerMismatchError` where it is another one than then. */
export async function issuerMetadata(
  { authorizationServerUrl: asked, issuer }: SignedIn,
  fetchFn: FetchLike,
): Promise<AuthorizationServerMetadata | undefined> {
  const metadata = await discoverAuthorizationServerMetadata(asked, {
    fetchFn,
    skipIssuerValidation: true,
  })
  if (metadata && !isIssuer(metadata, asked) && metadata.issuer !== issuer)
    throw new IssuerMismatchError('metadata', issuer, metadata.issuer)
  return metadata
}

/** An address of an origin alone may be written with a slash at its end or without. */
function isIssuer({ issuer }: AuthorizationServerMetadata, asked: string): boolean {
  return issuer === asked || (asked.endsWith('/') && issuer === asked.slice(0, -1))
}

/**
 * The metadata of 2025-03-26 lies at the root of the origin, wherever below it the issuer is. Who answers at the root
 * speaks for the whole origin anyway; for an issuer of another origin it never does.
 */
function isOfOrigin({ issuer }: AuthorizationServerMetadata, server: URL): boolean {
  return URL.canParse(issuer) && new URL(issuer).origin === server.origin
}
