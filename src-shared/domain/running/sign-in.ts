import * as z from 'zod'

/** A sign-in to a remote server in progress, or the failure of the last one; it contains no address and no token. */
export const SignInView = z.discriminatedUnion('kind', [
  z.object({
    /** The user is at the authorization page. */
    kind: z.literal('waiting'),
    /** Host of the authorization page. */
    host: z.string(),
    /** End of the time limit, epoch ms. */
    until: z.number(),
    /** Number of responses that did not belong to it. */
    rejectedCount: z.int(),
  }),
  /** The authorization response arrived and is exchanged for tokens. */
  z.object({ kind: z.literal('finishing'), host: z.string() }),
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().optional() }),
])
export type SignInView = z.infer<typeof SignInView>

/** Why a running server requires a sign-in for some of its requests. */
export const SignInOffer = z.object({ message: z.string(), hint: z.string().optional() })
export type SignInOffer = z.infer<typeof SignInOffer>

/** Next step of a sign-in. */
export const SignInStep = z.discriminatedUnion('kind', [
  /** Show the host, then open the authorization page: https, or http on this computer. */
  z.object({ kind: z.literal('ask'), host: z.string(), address: z.string() }),
  /** `host` does not know Patchbay and offers no registration. The user can register `redirectUrl`, which has a currently free port. */
  z.object({
    kind: z.literal('clientNeeded'),
    host: z.string(),
    redirectUrl: z.string(),
    /** Whether `host` accepts the address of a client ID metadata document as client ID, without registration. */
    takesDocument: z.boolean(),
    /** The host's own message, cleaned and cut. */
    providerMessage: z.string().optional(),
  }),
  /** The server reports another address, which differs only in scheme or in the name of this computer. */
  z.object({ kind: z.literal('otherAddress'), expected: z.string(), named: z.string() }),
])
export type SignInStep = z.infer<typeof SignInStep>

/** Data of a client that the user registered at an authorization server. */
export const TypedClient = z.object({
  clientId: z.string().trim().min(1).max(2_000),
  clientSecret: z.string().trim().max(4_000).optional(),
  /** Redirect address of its sign-ins, compared exactly; missing for any free port of 127.0.0.1. */
  redirectUrl: z.string().trim().max(2_000).optional(),
})
export type TypedClient = z.infer<typeof TypedClient>
