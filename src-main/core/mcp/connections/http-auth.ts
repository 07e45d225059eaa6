import {
  type AuthProvider,
  type FetchLike,
  InsufficientScopeError,
} from '@modelcontextprotocol/client'

import { SignInNeededError } from '../../failure/remote-failure'

/** Gives the requests of a session the token of a signed-in person, and renews it where it is refused. */
export type SessionAuth = Required<AuthProvider> & {
  /** An answer (401, 403) refused this `Authorization` header; many requests may have sent the same one. */
  noteRefused(response: Response, authorization: string | null): void
  noteAccepted(authorization: string | null): void
}

export type SessionAuthEvents = {
  /** Every token that was in use in this run, to be masked. */
  readonly onSecrets: (secrets: readonly string[]) => void
}

export type OpenSessionAuth = (url: URL, events: SessionAuthEvents) => SessionAuth

const REJECTED = [401, 403]

/** A `fetch` that has a rejected token renewed once. Rejects with a `SignInNeededError` where no token helps (RFC 6750, 3.1). */
export function authorizedFetch(
  fetch: FetchLike,
  url: URL,
  auth: SessionAuth | undefined,
): FetchLike {
  const send = async (...[input, init]: Parameters<FetchLike>): Promise<Response> => {
    const headers = new Headers(init?.headers)
    const token = await auth?.token()
    if (token) headers.set('authorization', `Bearer ${token}`)
    const response = await fetch(input, { ...init, headers })
    const authorization = headers.get('authorization')
    if (REJECTED.includes(response.status)) auth?.noteRefused(response, authorization)
    else if (response.ok) auth?.noteAccepted(authorization)
    if (response.status !== 403) return response
    const { error, scope } = bearerChallenge(response.headers) ?? {}
    if (error !== 'insufficient_scope') return response
    await response.body?.cancel()
    const cause = new InsufficientScopeError(scope ? { requiredScope: scope } : {})
    throw new SignInNeededError(url, cause)
  }
  return async (input, init) => {
    const response = await send(input, init)
    if (response.status !== 401 || !auth) return response
    await response.body?.cancel()
    await auth.onUnauthorized({ response, serverUrl: url, fetchFn: fetch })
    const second = await send(input, init)
    if (second.status !== 401) return second
    await second.body?.cancel()
    throw new SignInNeededError(url)
  }
}

/** One challenge of a `WWW-Authenticate` header (RFC 9110, 11.6.1); names are in lower case. */
export type Challenge = {
  readonly scheme: string
  readonly params: Readonly<Record<string, string>>
}

const TOKEN = String.raw`[\w!#$%&'*+.^\x60|~\-]+`
/** `name = value`, where blanks may stand around the sign and the value may be quoted. */
const PARAM = String.raw`(${TOKEN})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))`
/** A scheme, with the credentials that some have in the place of parameters. */
const SCHEME = String.raw`(${TOKEN})(?:[ \t]+[\w\-.~+/]+=*(?=[ \t]*(?:,|$)))?(?=[ \t,]|$)`
const PARTS = new RegExp(`${PARAM}|${SCHEME}`, 'gu')

/** All challenges of a header, of several headers where they were joined by commas; what cannot be read is left out. */
export function challengesIn(header: string): readonly Challenge[] {
  const challenges: { scheme: string; params: Record<string, string> }[] = []
  for (const [, name, quoted, bare = '', scheme] of header.matchAll(PARTS)) {
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), params: {} })
    const params = challenges.at(-1)?.params
    if (name !== undefined && params)
      params[name.toLowerCase()] ??= quoted?.replaceAll(/\\(.)/gu, '$1') ?? bare
  }
  return challenges
}

/** The parameters of the challenge that asks for a bearer token, whatever stands before it; undefined where none does. */
export function bearerChallenge(headers: Headers): Challenge['params'] | undefined {
  const all = challengesIn(headers.get('www-authenticate') ?? '')
  const bearers = all.filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  return (bearers.find(({ params }) => params.resource_metadata) ?? bearers[0])?.params
}
