import * as z from 'zod'

import { SignInStep, TypedClient } from '../../domain/running/sign-in'
import { command, request, ServerRef } from './refs'

/** Signing in at remote servers (OAuth 2.1). Tokens cross in neither direction. */
export const signInRequests = {
  /**
   * Looks for the authorization page and waits for its answer for 5 minutes; one that is under way is joined. How it
   * goes on is shown at the server. Rejects with SIGN_IN_FAILED, INVALID_VALUES, SECRET_STORE_FAILED, or as a remote server's start does.
   */
  'signIn.begin': request(
    ServerRef.extend({
      client: TypedClient.optional(),
      /** Scopes that the user wants asked for as well, parted by blanks; kept for later sign-ins. */
      scopes: z.string().max(4_000).optional(),
    }),
    SignInStep,
  ),
  /** Opens the page of the sign-in under way in the system's browser; NOT_AVAILABLE_HERE where the page itself does that. */
  'signIn.open': command(ServerRef),
  /** Gives up what is under way, and forgets how the last one failed. */
  'signIn.cancel': command(ServerRef),
  /** Forgets the tokens and stops the server; `revoked` says whether its authorization server took them back. */
  'signIn.signOut': request(ServerRef, z.object({ revoked: z.boolean() })),
}
