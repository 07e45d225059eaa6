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

/** The members of RFC 9728 that a sign-in uses; one that is broken counts as absent. */
const ResourceMetadata = z.looseObject({
  resource: z.url(),
  authorization_servers: Texts,
  scopes_supported: Texts,
})

/** The members of RFC 8414 and OpenID Connect Discovery that a sign-in uses; an optional one that is broken counts as absent. */
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
 * Finds who signs people in at a server, as its own metadata names it (RFC 9728); `resourceMetadataUrl` is where that is
 * by the server's word. One of before 2025-06-18 has no such metadata: its own origin tells the sign-in. Rejects with an
 * `IssuerMismatchError` where the issuer's metadata is of another issuer (RFC 8414, 3.3), and with a
 * `MetadataMissingError` where no address has any.
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

/** What the issuer of tokens says of itself now; rejects with an `IssuerMismatchError` where it is another one than then. */
export async function issuerMetadata(
  { authorizationServerUrl: asked, issuer }: SignedIn,
  fetchFn: FetchLike,
): Promise<AuthorizationServerMetadata | undefined> {
  const isRight = (metadata: AuthorizationServerMetadata): boolean =>
    sameIssuer(metadata.issuer, asked) || sameIssuer(metadata.issuer, issuer)
  const found = await findMetadata(serverAddresses(asked), readServer(issuer, isRight), fetchFn)
  if (found.metadata || hasNone(found.attempts)) return found.metadata
  throw failureOf(new URL(asked), found.attempts)
}

/** Whether two texts name one issuer: a slash at the end counts for nothing where the path is empty, and all else counts. */
export function sameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other)
}

function withoutSlash(issuer: string): string {
  if (!issuer.endsWith('/') || !URL.canParse(issuer)) return issuer
  const { pathname, search, hash } = new URL(issuer)
  return pathname === '/' && search === '' && hash === '' ? issuer.slice(0, -1) : issuer
}

/** Where the metadata of a server may lie, the address of its own word first (RFC 9728, 3.1 and 5.1). */
function resourceAddresses(server: URL, named: URL | undefined): readonly URL[] {
  const path = withoutEnd(server.pathname)
  const inserted = new URL(`${RESOURCE}${path}${server.search}`, server)
  return unique([...(named ? [named] : []), inserted, new URL(RESOURCE, server)])
}

/** Where the metadata of an issuer may lie: inserted before its path as RFC 8414 has it, or after it as OpenID has it. */
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
  return data ? { metadata: data } : { said: 'JSON without a resource URL' }
}

function readServer(
  expected: string,
  isRight: (metadata: AuthorizationServerMetadata) => boolean,
): (document: unknown) => Reading<AuthorizationServerMetadata> {
  return (document) => {
    const { data, error } = ServerMetadata.safeParse(document)
    if (!data) return { said: `JSON without a usable ${String(error.issues[0]?.path[0])}` }
    if (isRight(data)) return { metadata: data }
    const mismatch = new IssuerMismatchError('metadata', expected, data.issuer)
    return { said: `metadata of another issuer, ${data.issuer}`, mismatch }
  }
}

/** Of all that was asked, another issuer says the most. */
function failureOf(server: URL, attempts: readonly Attempt[]): Error {
  const mismatch = attempts.find((one) => one.mismatch)?.mismatch
  return mismatch ?? new MetadataMissingError(server, attempts)
}

/**
 * The metadata of 2025-03-26 lies at the root of the origin, wherever below it the issuer is. Who answers at the root
 * speaks for the whole origin anyway; for an issuer of another origin it never does.
 */
function isOfOrigin({ issuer }: AuthorizationServerMetadata, server: URL): boolean {
  return URL.canParse(issuer) && new URL(issuer).origin === server.origin
}
