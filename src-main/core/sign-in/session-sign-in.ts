import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client'

import { SignInNeededError } from '../failure/remote-failure'
import type { SessionAuth } from '../session/http/session-auth'
import type { SignInKeeper } from './sign-in-keeper'

/** What the server said when it refused a request (RFC 9728, 5.1). */
export type Challenge = { readonly resourceMetadataUrl?: URL; readonly scope?: string }

/** The part of a sign-in that a session of `url` uses: its token, made anew before it expires and where it is refused. */
export function sessionSignIn(
  keeper: SignInKeeper,
  url: URL,
  onChallenge: (challenge: Challenge) => void,
): SessionAuth {
  const refused = new WeakMap<Response, string>()
  return {
    token: () => keeper.token(url),
    noteRefused: (response, authorization) => {
      const [, token] = /^Bearer (.+)$/u.exec(authorization ?? '') ?? []
      if (token !== undefined) refused.set(response, token)
      const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response)
      if (response.status !== 401 && error !== 'insufficient_scope') return
      onChallenge({
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
      })
    },
    onUnauthorized: async ({ response }) => {
      if (!(await keeper.replace(url, refused.get(response)))) throw new SignInNeededError(url)
    },
  }
}
