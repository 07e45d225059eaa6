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
/** Issuers that give a refresh token only for parameters of their own. */
const GOOGLE = 'accounts.google.com'

/** What the authorization page and the token endpoint are asked for. */
export type AuthorizationRequest = {
  /** As the server names itself (RFC 8707); undefined where it is not sent. */
  readonly resource: string | undefined
  readonly scope: string | undefined
  /** `offline_access` was added, which nobody but Patchbay asked for, to these. */
  readonly isOfflineAdded: boolean
  readonly scopeBefore: string | undefined
}

/**
 * The resource that a sign-in is for, as the metadata of the server writes it (RFC 9728, 3.3); a slash at its end counts for
 * nothing. Throws an `OtherAddressError` where it is another one than the server at `url`.
 */
export function resourceFor(url: URL, named: string | undefined): string | undefined {
  if (named === undefined) return undefined
  const [requested, configured] = [url, new URL(named)].map(withoutEndSlash) as [URL, URL]
  if (checkResourceAllowed({ requestedResource: requested, configuredResource: configured }))
    return named
  // The user may have typed one for the other.
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
 * What to ask for: the scopes of the challenge, else those that the server names, each with what was granted before and with
 * the user's own; and lasting access where the issuer lists it and has not rejected it.
 */
export function authorizationRequest(parts: {
  readonly resource: string | undefined
  /** Of the challenge, in union with what was granted. */
  readonly challenged: string | undefined
  readonly named: readonly string[] | undefined
  readonly extra: string | undefined
  /** Scopes that a registered client has by default. */
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

/** Whether lasting access is asked for by parameters that are in no specification. */
export function asksOffline(page: URL, memory: IssuerMemory): boolean {
  return page.host === GOOGLE || memory.asksOffline === true
}

/** The request without what an issuer rejected, and what is learned of the issuer; undefined where another try can't help. */
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

/** Whether an issuer rejects the parameter `resource` (RFC 8707, 2). */
export function refusesResource(error: unknown): boolean {
  const code = codeOf(error)
  if (code === OAuthErrorCode.InvalidTarget) return true
  return code === OAuthErrorCode.InvalidRequest && /\bresource\b/iu.test(wordsOf(error))
}

function codeOf(error: unknown): string | undefined {
  return error instanceof OAuthError || error instanceof RejectedError ? error.code : undefined
}

function wordsOf(error: unknown): string {
  if (error instanceof RejectedError) return error.said
  return error instanceof OAuthError ? error.message : ''
}

function hasScope(scope: string | undefined, one: string): boolean {
  return scope?.split(' ').includes(one) === true
}
