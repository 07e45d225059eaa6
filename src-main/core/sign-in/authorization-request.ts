import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  computeScopeUnion,
  OAuthError,
  OAuthErrorCode,
} from '@modelcontextprotocol/client'

import { isSameHost } from '../network/is-loopback'
import { OtherAddressError, RejectedError } from './sign-in-failure'
import type { IssuerMemory } from './sign-in-record'

const OFFLINE = 'offline_access'
/** Google issues a refresh token only for its own parameters. */
const GOOGLE = 'accounts.google.com'

/** The parameters sent to the authorization page and the token endpoint. */
export type AuthorizationRequest = {
  /** The server's own resource identifier (RFC 8707); undefined if the parameter is omitted. */
  readonly resource: string | undefined
  readonly scope: string | undefined
  /** Whether Patchbay alone added `offline_access` to the requested scopes. */
  readonly isOfflineAdded: boolean
  readonly scopeBefore: string | undefined
}

/**
 * Returns the resource as the server's metadata spells it (RFC 9728, 3.3), ignoring trailing slashes. Throws an `OtherAddressError` if the
 * metadata names another server than the one at `url`.
 */
export function resourceFor(url: URL, named: string | undefined): string | undefined {
  if (named === undefined) return undefined
  const [requested, configured] = [url, new URL(named)].map(withoutEndSlash) as [URL, URL]
  if (checkResourceAllowed({ requestedResource: requested, configuredResource: configured }))
    return named
  // The user may have typed one spelling of the address for the other.
  const isAlike = isSameHost(url, configured) && requested.pathname === configured.pathname
  throw new OtherAddressError(url, new URL(named), isAlike)
}

function withoutEndSlash(url: URL): URL {
  const copy = new URL(url)
  copy.hash = ''
  copy.pathname = url.pathname.replace(/\/+$/u, '')
  return copy
}

/**
 * Builds the request: the scopes of the challenge, else those the server names, plus the scopes granted before and the user's own. Adds
 * `offline_access` if the issuer lists it and hasn't rejected it.
 */
export function authorizationRequest(parts: {
  readonly resource: string | undefined
  /** Scopes of the challenge, in union with the granted ones. */
  readonly challenged: string | undefined
  readonly named: readonly string[] | undefined
  readonly extra: string | undefined
  /** Default scopes of a registered client. */
  readonly registered: string | undefined
  readonly metadata: AuthorizationServerMetadata | undefined
  readonly memory: IssuerMemory
}): AuthorizationRequest {
  const { resource, challenged, named, extra, registered, metadata, memory } = parts
  const wanted = computeScopeUnion(challenged ?? named?.join(' ') ?? registered, extra)
  const isListed = metadata?.scopes_supported?.includes(OFFLINE) === true
  const isOfflineAdded = isListed && memory.withoutOffline !== true && !hasScope(wanted, OFFLINE)
  return {
    resource: memory.withoutResource === true ? undefined : resource,
    scope: isOfflineAdded ? computeScopeUnion(wanted, OFFLINE) : wanted,
    isOfflineAdded,
    scopeBefore: wanted,
  }
}

/** Whether to request a refresh token through nonstandard parameters. */
export function asksOffline(page: URL, memory: IssuerMemory): boolean {
  return page.host === GOOGLE || memory.asksOffline === true
}

/** Drops the parameter that an issuer rejected, and returns what to remember about the issuer. Undefined if another try can't help. */
export function relaxed(
  error: unknown,
  request: AuthorizationRequest,
): { readonly request: AuthorizationRequest; readonly learned: IssuerMemory } | undefined {
  if (request.resource !== undefined && refusesResource(error))
    return { request: { ...request, resource: undefined }, learned: { withoutResource: true } }
  if (request.isOfflineAdded && codeOf(error) === OAuthErrorCode.InvalidScope) {
    return {
      request: { ...request, isOfflineAdded: false, scope: request.scopeBefore },
      learned: { withoutOffline: true },
    }
  }
  return undefined
}

/** Whether an issuer rejects the `resource` parameter (RFC 8707, 2). */
export function refusesResource(error: unknown): boolean {
  const code = codeOf(error)
  if (code === OAuthErrorCode.InvalidTarget) return true
  return code === OAuthErrorCode.InvalidRequest && /\bresource\b/iu.test(messageOf(error))
}

function codeOf(error: unknown): string | undefined {
  return error instanceof OAuthError || error instanceof RejectedError ? error.code : undefined
}

function messageOf(error: unknown): string {
  if (error instanceof RejectedError) return error.description
  return error instanceof OAuthError ? error.message : ''
}

function hasScope(scope: string | undefined, one: string): boolean {
  return scope?.split(' ').includes(one) === true
}
