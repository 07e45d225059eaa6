import {
  type AuthorizationServerMetadata,
  type FetchLike,
  IssuerMismatchError,
  type OAuthDiscoveryState,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { Attempt, Reading } from './find-metadata'
import { findMetadata, hasNone, MetadataMissingError } from './find-metadata'
import type { SignedIn } from './sign-in-record'

const RESOURCE = '/.well-known/oauth-protected-resource'
const OAUTH = '/.well-known/oauth-authorization-server'
const OPENID = '/.well-known/openid-configuration'

const Texts = z.array(z.string()).optional().catch(undefined)
const Address = z.url().optional().catch(undefined)
const Flag = z.boolean().optional().catch(undefined)

/** Members of RFC 9728 that a sign-in uses; an invalid one counts as absent. */
const ResourceMetadata = z.looseObject({
  resource: z.url(),
  authorization_servers: Texts,
  scopes_supported: Texts,
})

/** Members of RFC 8414 and OpenID Connect Discovery that a sign-in uses; an invalid optional one counts as absent. */
const ServerMetadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  registration_endpoint: Address,
  revocation_endpoint: Address,
  service_documentation: Address,
  response_types_supported: z.array(z.string()).catch(['code']),
  scopes_supported: Texts,
  grant_types_supported: Texts,
  code_challenge_methods_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  client_id_metadata_document_supported: Flag,
  authorization_response_iss_parameter_supported: Flag,
})

/**
 * Finds the authorization server that a server's metadata names (RFC 9728). `resourceMetadataUrl` is the metadata address the server sent.
 * Servers older than 2025-06-18 have no such metadata, so their own origin is the issuer. Rejects with an `IssuerMismatchError` if the
 * metadata belongs to another issuer (RFC 8414, 3.3), and with a `MetadataMissingError` if no address has any.
 */
export async function discoverIssuer(
  server: URL,
  resourceMetadataUrl: URL | undefined,
  fetchFn: FetchLike,
): Promise<OAuthDiscoveryState> {
  const resource = await findMetadata(
    resourceAddresses(server, resourceMetadataUrl),
    readResource,
    fetchFn,
  )
  const resourceMetadata = resource.metadata
  const named = (resourceMetadata?.authorization_servers ?? []).filter((one) => URL.canParse(one))
  const isOlder = resourceMetadataUrl === undefined && resourceMetadata === undefined
  const attempts: Attempt[] = [...resource.attempts]
  for (const issuer of named.length > 0 ? named : [new URL('/', server).href]) {
    const isRight = (metadata: AuthorizationServerMetadata): boolean =>
      sameIssuer(metadata.issuer, issuer) || (isOlder && isOfOrigin(metadata, server))
    const found = await findMetadata(serverAddresses(issuer), readServer(issuer, isRight), fetchFn)
    if (found.metadata || (isOlder && hasNone(found.attempts)))
      return {
        authorizationServerUrl: issuer,
        authorizationServerMetadata: found.metadata,
        resourceMetadata,
      }
    attempts.push(...found.attempts)
  }
  throw failureOf(server, attempts)
}

/** Reads the issuer's current metadata; rejects with an `IssuerMismatchError` if another issuer answers now. */
export async function issuerMetadata(
  { authorizationServerUrl: server, issuer }: SignedIn,
  fetchFn: FetchLike,
): Promise<AuthorizationServerMetadata | undefined> {
  const isRight = (metadata: AuthorizationServerMetadata): boolean =>
    sameIssuer(metadata.issuer, server) || sameIssuer(metadata.issuer, issuer)
  const found = await findMetadata(serverAddresses(server), readServer(issuer, isRight), fetchFn)
  if (found.metadata || hasNone(found.attempts)) return found.metadata
  throw failureOf(new URL(server), found.attempts)
}

/** Whether two strings name one issuer: the trailing slash of an empty path is ignored, every other difference counts. */
export function sameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other)
}

function withoutSlash(issuer: string): string {
  if (!issuer.endsWith('/') || !URL.canParse(issuer)) return issuer
  const { pathname, search, hash } = new URL(issuer)
  return pathname === '/' && search === '' && hash === '' ? issuer.slice(0, -1) : issuer
}

/** Addresses of a server's metadata, the address from the challenge first (RFC 9728, 3.1 and 5.1). */
function resourceAddresses(server: URL, named: URL | undefined): readonly URL[] {
  const path = withoutEnd(server.pathname)
  const inserted = new URL(`${RESOURCE}${path}${server.search}`, server)
  return unique([...(named ? [named] : []), inserted, new URL(RESOURCE, server)])
}

/** Addresses of an issuer's metadata: the well-known part before the path (RFC 8414) or after it (OpenID). */
function serverAddresses(issuer: string): readonly URL[] {
  const { pathname, origin } = new URL(issuer)
  const path = withoutEnd(pathname)
  const all = [`${OAUTH}${path}`, `${OPENID}${path}`, `${path}${OPENID}`, `${path}${OAUTH}`]
  return unique(all.map((one) => new URL(one, origin)))
}

function withoutEnd(pathname: string): string {
  return pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
}

function unique(addresses: readonly URL[]): readonly URL[] {
  return [...new Map(addresses.map((one) => [one.href, one])).values()]
}

function readResource(document: unknown): Reading<OAuthProtectedResourceMetadata> {
  const { data } = ResourceMetadata.safeParse(document)
  return data ? { metadata: data } : { problem: 'JSON without a resource URL' }
}

function readServer(
  expected: string,
  isRight: (metadata: AuthorizationServerMetadata) => boolean,
): (document: unknown) => Reading<AuthorizationServerMetadata> {
  return (document) => {
    const { data, error } = ServerMetadata.safeParse(document)
    if (!data) return { problem: `JSON without a usable ${String(error.issues[0]?.path[0])}` }
    if (isRight(data)) return { metadata: data }
    const mismatch = new IssuerMismatchError('metadata', expected, data.issuer)
    return { problem: `metadata of another issuer, ${data.issuer}`, mismatch }
  }
}

/** An issuer mismatch explains more than a missing document. */
function failureOf(server: URL, attempts: readonly Attempt[]): Error {
  const mismatch = attempts.find((one) => one.mismatch)?.mismatch
  return mismatch ?? new MetadataMissingError(server, attempts)
}

/**
 * 2025-03-26 metadata lies at the root of the origin, wherever the issuer is below it. The root speaks for its whole origin, never for
 * another one.
 */
function isOfOrigin({ issuer }: AuthorizationServerMetadata, server: URL): boolean {
  return URL.canParse(issuer) && new URL(issuer).origin === server.origin
}
