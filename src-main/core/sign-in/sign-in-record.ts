import * as z from 'zod'

import { jsonIn } from '../../../src-shared/domain/attempt'
import type { SecretBackend } from '../ports'

/** Patchbay's client at an authorization server (RFC 7591, 2). */
const Client = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_secret_expires_at: z.number().optional(),
  token_endpoint_auth_method: z.string().optional(),
  /** The registered redirect; absent for any free port of 127.0.0.1. */
  redirect_url: z.string().optional(),
  /** Scopes that the user wants, separated by spaces. */
  scopes: z.string().optional(),
})
export type Client = z.infer<typeof Client>

/** The tokens of a sign-in, with everything needed to refresh them. */
const SignedIn = z.object({
  /** Address of the only server that gets the token. */
  serverUrl: z.string(),
  authorizationServerUrl: z.string(),
  /** Issuer of the tokens; client and tokens are valid only there. */
  issuer: z.string(),
  /** The server's resource identifier (RFC 8707). */
  resource: z.string().optional(),
  client: Client,
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  scope: z.string().optional(),
  /** Epoch ms. */
  issuedAt: z.number(),
  /** Epoch ms; absent if the server doesn't say. */
  expiresAt: z.number().optional(),
})
export type SignedIn = z.infer<typeof SignedIn>

/** Deviations of an issuer from the usual. */
const IssuerMemory = z.object({
  /** Rejects the `resource` parameter (RFC 8707). */
  withoutResource: z.boolean().optional(),
  /** Rejects `offline_access`, unless the server or the user requests it. */
  withoutOffline: z.boolean().optional(),
  /** Issued tokens without a refresh token, so `access_type` is sent as well. */
  asksOffline: z.boolean().optional(),
  /** Registers only redirects to `localhost`. */
  localhost: z.boolean().optional(),
})
export type IssuerMemory = z.infer<typeof IssuerMemory>

/** The stored sign-in of one installation. */
const SignInRecord = z.object({
  /** Clients that the user typed, by issuer. */
  typedClients: z.record(z.string(), Client),
  signedIn: SignedIn.optional(),
  /** A client from an imported configuration, for any issuer. */
  preset: Client.optional(),
  /** Clients that Patchbay registered, by issuer. */
  registered: z.record(z.string(), Client).optional(),
  /** Deviations by issuer. */
  memory: z.record(z.string(), IssuerMemory).optional(),
  /** Additional scopes that the user wants, separated by spaces. */
  extraScopes: z.string().optional(),
})
export type SignInRecord = z.infer<typeof SignInRecord>

/** The record before the first sign-in. */
export const NO_SIGN_IN: SignInRecord = { typedClients: {} }

/** Known deviations of an issuer. */
export function memoryOf({ memory = {} }: SignInRecord, issuer: string): IssuerMemory {
  return memory[issuer] ?? {}
}

/** Stores an installation's sign-in in the keychain; every call rejects with SECRET_STORE_FAILED. */
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
