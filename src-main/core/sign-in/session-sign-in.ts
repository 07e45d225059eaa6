import { InsufficientScopeError } from '@modelcontextprotocol/client'

import { SignInNeededError } from '../failure/remote-failure'
import { bearerChallenge, type SessionAuth } from '../mcp/connections/remote-fetch'
import type { Timekeeper } from '../ports'
import type { SignInKeeper } from './sign-in-keeper'

/** If a server's own error speaks of a token renewed within this time, the token is rejected; after it, the token expired. In ms. */
const JUST_RENEWED_MS = 60_000

/** The challenge of a rejected request (RFC 9728, 5.1). */
export type Challenge = { readonly resourceMetadataUrl?: URL; readonly scope?: string }

/** Sign-in events of a session's requests. */
export type SessionSignInEvents = {
  readonly onChallenge: (challenge: Challenge) => void
  /** A request was rejected for lack of a sign-in; `token` is the one it carried. */
  readonly onNeeded: (error: SignInNeededError, token: string | undefined) => void
  /** A token renewed just now was rejected as well. */
  readonly onRejectedAgain: () => void
  /** A request with this token succeeded. */
  readonly onAccepted: (token: string) => void
}

/** Gives a session of `url` its token, and renews the token before it expires and after a rejection. */
export function sessionSignIn(
  keeper: SignInKeeper,
  url: URL,
  { onAccepted, onChallenge, onNeeded, onRejectedAgain }: SessionSignInEvents,
  time: Pick<Timekeeper, 'monotonic'>,
): SessionAuth {
  const rejected = new WeakMap<Response, string>()
  /** The replacement of a rejected token. If it is rejected before its first success, no further one is requested. */
  let renewed: { token: string | undefined; at: number; wasAccepted: boolean } | undefined
  const needed = (error: unknown, token: string | undefined): never => {
    if (error instanceof SignInNeededError) onNeeded(error, token)
    throw error
  }
  const replace = async (token: string | undefined): Promise<void> => {
    const isRenewed = await keeper
      .replace(url, token)
      .catch((error: unknown) => needed(error, token))
    if (!isRenewed) needed(keeper.lost ?? new SignInNeededError(url), token)
    renewed = { token: keeper.signedIn?.accessToken, at: time.monotonic(), wasAccepted: false }
  }
  return {
    token: () =>
      keeper.token(url).catch((error: unknown) => needed(error, keeper.signedIn?.accessToken)),
    recordAccepted: (authorization) => {
      const token = tokenIn(authorization)
      if (token === undefined) return
      if (token === renewed?.token) renewed.wasAccepted = true
      onAccepted(token)
    },
    countRejected: (response, authorization) => {
      const token = tokenIn(authorization)
      if (token !== undefined) rejected.set(response, token)
      const { error, resource_metadata: metadata, scope } = bearerChallenge(response.headers) ?? {}
      const wantsMore = error === 'insufficient_scope'
      if (response.status !== 401 && !wantsMore) return
      onChallenge({
        ...(metadata &&
          URL.canParse(metadata, url.href) && { resourceMetadataUrl: new URL(metadata, url) }),
        ...(scope && { scope }),
      })
      if (response.status !== 401) {
        const cause = new InsufficientScopeError(scope ? { requiredScope: scope } : {})
        onNeeded(new SignInNeededError(url, cause), token)
      } else if (token !== undefined && token === renewed?.token && !renewed.wasAccepted) {
        onNeeded(new SignInNeededError(url), token)
        onRejectedAgain()
      }
    },
    onUnauthorized: ({ response }) => replace(rejected.get(response)),
    renew: async () => {
      const token = keeper.signedIn?.accessToken
      if (token === undefined) return false
      const isNew = token === renewed?.token && time.monotonic() - renewed.at < JUST_RENEWED_MS
      if (isNew) needed(new SignInNeededError(url), token)
      await replace(token)
      return true
    },
  }
}

function tokenIn(authorization: string | null): string | undefined {
  return /^Bearer (.+)$/u.exec(authorization ?? '')?.[1]
}
