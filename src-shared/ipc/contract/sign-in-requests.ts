import * as z from 'zod'

import { SignInStep, TypedClient } from '../../domain/running/sign-in'
import { command, request, ServerRef } from './refs'

/** Requests on sign-ins to remote servers (OAuth 2.1). No request and no response contains a token. */
export const signInRequests = {
  /**
   * Discovers the authorization page and waits 5 minutes for its response; joins a sign-in in progress. The server's state has the
   * progress. Rejects with SIGN_IN_FAILED, INVALID_VALUES, SECRET_STORE_FAILED, or like a remote server's start.
   */
  'signIn.begin': request(
    ServerRef.extend({
      client: TypedClient.optional(),
      /** Additional scopes, separated by spaces; kept for later sign-ins. */
      scopes: z.string().max(4_000).optional(),
    }),
    SignInStep,
  ),
  /** Opens the page of the current sign-in in the system's browser; NOT_AVAILABLE_HERE if the page itself does that. */
  'signIn.open': command(ServerRef),
  /** Cancels the sign-in in progress, and clears the failure of the last one. */
  'signIn.cancel': command(ServerRef),
  /** Deletes the tokens and stops the server; `revoked` says whether the authorization server revoked them. */
  'signIn.signOut': request(ServerRef, z.object({ revoked: z.boolean() })),
}
