import * as z from 'zod'

import type { SecretBackend } from '../ports'

/** How Patchbay is known to an authorization server (RFC 7591, 2). */
const Client = z.looseObject({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_secret_expires_at: z.number().optional(),
  token_endpoint_auth_method: z.string().optional(),
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

/** What is kept of the sign-in of one installation. */
const SignInRecord = z.object({
  /** What a person typed for authorization servers where Patchbay cannot register itself, by issuer. */
  typedClients: z.record(z.string(), Client),
  signedIn: SignedIn.optional(),
})
export type SignInRecord = z.infer<typeof SignInRecord>

/** As nobody has signed in yet. */
export const NO_SIGN_IN: SignInRecord = { typedClients: {} }

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
    return (text === null ? undefined : parseRecord(text)) ?? NO_SIGN_IN
  }

  async write(record: SignInRecord): Promise<void> {
    const isEmpty = !record.signedIn && Object.keys(record.typedClients).length === 0
    if (isEmpty) await this.delete()
    else await this.backend.set(this.#key, JSON.stringify(record))
  }

  async delete(): Promise<void> {
    await this.backend.delete(this.#key)
  }
}

function parseRecord(text: string): SignInRecord | undefined {
  try {
    return SignInRecord.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // another program changed the entry
  }
}
