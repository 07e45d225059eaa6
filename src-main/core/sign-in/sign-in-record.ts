import * as z from 'zod'

import { jsonIn } from '../../../src-shared/domain/attempt'
import type { SecretBackend } from '../ports'

/** How Patchbay is known to an authorization server (RFC 7591, 2). */
const Client = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_secret_expires_at: z.number().optional(),
  token_endpoint_auth_method: z.string().optional(),
  /** Where its sign-ins come back, as it is registered; missing for any free port of 127.0.0.1. */
  redirect_url: z.string().optional(),
  /** What its user wants it to be asked for, parted by blanks. */
  scopes: z.string().optional(),
})
export type Client = z.infer<typeof Client>

/** What a sign-in brought, with all that a refresh of it needs. */
const SignedIn = z.object({
  /** Address of the server that it is for; it goes to no other. */
  serverUrl: z.string(),
  authorizationServerUrl: z.string(),
  /** Who issued the tokens; client and tokens are of no use to another. */
  issuer: z.string(),
  /** As the server names itself (RFC 8707). */
  resource: z.string().optional(),
  client: Client,
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  scope: z.string().optional(),
  /** Epoch ms. */
  issuedAt: z.number(),
  /** Epoch ms; missing where the server says nothing of it. */
  expiresAt: z.number().optional(),
})
export type SignedIn = z.infer<typeof SignedIn>

/** What an issuer rejected, or wants, that most don't. */
const IssuerMemory = z.object({
  /** `resource` is not sent (RFC 8707). */
  withoutResource: z.boolean().optional(),
  /** `offline_access` is asked for only where somebody else wants it. */
  withoutOffline: z.boolean().optional(),
  /** Its tokens came without a refresh token: lasting access is asked for by `access_type` as well. */
  asksOffline: z.boolean().optional(),
  /** It registers redirects to `localhost` alone. */
  localhost: z.boolean().optional(),
})
export type IssuerMemory = z.infer<typeof IssuerMemory>

/** What is kept of the sign-in of one installation. */
const SignInRecord = z.object({
  /** What a user typed for authorization servers where Patchbay can't register, by issuer. */
  typedClients: z.record(z.string(), Client),
  signedIn: SignedIn.optional(),
  /** A client that an imported configuration names, for whichever issuer it is. */
  preset: Client.optional(),
  /** The clients that Patchbay registered, by issuer. */
  registered: z.record(z.string(), Client).optional(),
  /** By issuer. */
  memory: z.record(z.string(), IssuerMemory).optional(),
  /** Scopes that the user wants asked for as well, parted by blanks. */
  extraScopes: z.string().optional(),
})
export type SignInRecord = z.infer<typeof SignInRecord>

/** As nobody has signed in yet. */
export const NO_SIGN_IN: SignInRecord = { typedClients: {} }

/** What is known of an issuer. */
export function memoryOf({ memory = {} }: SignInRecord, issuer: string): IssuerMemory {
  return memory[issuer] ?? {}
}

/** Keeps the sign-in of an installation in the keychain; every call rejects with SECRET_STORE_FAILED. */
export class SignInStore {
  readonly #key: string

  constructor(
    private readonly backend: SecretBackend,
    installationId: string,
  ) {
    this.#key = `sign-in/${installationId}`
  }

  async read(): Promise<SignInRecord> {
    const text = await this.backend.get(this.#key)
    // Another program may have changed the entry.
    return SignInRecord.safeParse(jsonIn(text ?? '')).data ?? NO_SIGN_IN
  }

  async write(record: SignInRecord): Promise<void> {
    const { typedClients, ...others } = record
    const isEmpty = JSON.stringify(others) === '{}' && Object.keys(typedClients).length === 0
    if (isEmpty) await this.delete()
    else await this.backend.set(this.#key, JSON.stringify(record))
  }

  async delete(): Promise<void> {
    await this.backend.delete(this.#key)
  }
}
