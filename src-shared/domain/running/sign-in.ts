import * as z from 'zod'

/** A sign-in at a remote server that is under way, or how the last one failed; no address and no token is in it. */
export const SignInView = z.discriminatedUnion('kind', [
  z.object({
    /** The user is at the authorization page. */
    kind: z.literal('waiting'),
    /** Of the authorization page. */
    host: z.string(),
    /** Epoch ms of its end. */
    until: z.number(),
    /** How many answers did not belong to it. */
    refused: z.int(),
  }),
  /** The answer came, and is exchanged for tokens. */
  z.object({ kind: z.literal('finishing'), host: z.string() }),
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().optional() }),
])
export type SignInView = z.infer<typeof SignInView>

/** Why a server that works needs a sign-in for some of its requests. */
export const SignInOffer = z.object({ message: z.string(), hint: z.string().optional() })
export type SignInOffer = z.infer<typeof SignInOffer>

/** How a user goes on with a sign-in. */
export const SignInStep = z.discriminatedUnion('kind', [
  /** The authorization page is to be opened, once its host was shown: https, or http on this computer. */
  z.object({ kind: z.literal('ask'), host: z.string(), address: z.string() }),
  /** Patchbay isn't known at `host` and can't register there; `redirectUrl` can be registered, on a port that is free now. */
  z.object({
    kind: z.literal('clientNeeded'),
    host: z.string(),
    redirectUrl: z.string(),
    /** Whether `host` takes the address of a client ID metadata document for a client ID, unregistered. */
    takesDocument: z.boolean(),
    /** What the host says of it, cleaned and cut. */
    said: z.string().optional(),
  }),
  /** The server calls itself by another address, which differs in scheme or in the name of this computer alone. */
  z.object({ kind: z.literal('otherAddress'), expected: z.string(), named: z.string() }),
])
export type SignInStep = z.infer<typeof SignInStep>

/** What a user typed of a client that is registered at an authorization server. */
export const TypedClient = z.object({
  clientId: z.string().trim().min(1).max(2_000),
  clientSecret: z.string().trim().max(4_000).optional(),
  /** Where its sign-ins come back, character by character; missing for any free port of 127.0.0.1. */
  redirectUrl: z.string().trim().max(2_000).optional(),
})
export type TypedClient = z.infer<typeof TypedClient>
