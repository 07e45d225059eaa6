import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

import { sameIssuer } from './discover-issuer'
import type { Client } from './sign-in-record'

/** How a client proves itself at a token endpoint, the simplest first. */
const AUTH_METHODS: readonly string[] = ['none', 'client_secret_post', 'client_secret_basic']

type RegisteredMethod = { readonly token_endpoint_auth_method?: string | undefined }

/** Patchbay cannot make itself known to an authorization server. */
export class ClientNeededError extends Error {
  override readonly name = 'ClientNeededError'
  constructor(readonly issuer: string) {
    super(`${issuer} does not support client registration.`)
  }
}

export type FlowProviderOptions = {
  readonly redirectUrl: string
  readonly state: string
  /** What a person typed, by issuer. */
  readonly typedClients: Readonly<Record<string, Client>>
  /** What a person typed just now, for whichever issuer it is. */
  readonly typedClient: Client | undefined
  /** Where Patchbay's client ID metadata document is; empty for nowhere. */
  readonly clientMetadataUrl: string
  /** Who signs people in at the server. */
  readonly discovery: OAuthDiscoveryState
}

/** Holds what one sign-in finds out and gets, in memory alone; nothing of it is of before. */
export class FlowProvider implements OAuthClientProvider {
  readonly clientMetadataUrl?: string
  readonly #options: FlowProviderOptions
  #codeVerifier = ''
  #client: StoredOAuthClientInformation | undefined
  #tokens: StoredOAuthTokens | undefined
  #discovery: OAuthDiscoveryState
  #address: URL | undefined
  #resource: string | undefined
  /** Methods that a registration was refused with. */
  #refusedMethods = 0

  constructor(options: FlowProviderOptions) {
    this.#options = options
    this.#discovery = options.discovery
    if (options.clientMetadataUrl !== '') this.clientMetadataUrl = options.clientMetadataUrl
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Patchbay',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: this.#authMethod,
    }
  }

  /** How the client proves itself at the token endpoint: what the server supports comes first, without a secret where it can be. */
  get #authMethod(): string {
    const metadata = this.#discovery.authorizationServerMetadata
    const supported = metadata?.token_endpoint_auth_methods_supported ?? AUTH_METHODS
    const [first, others] = [
      AUTH_METHODS.filter((one) => supported.includes(one)),
      AUTH_METHODS.filter((one) => !supported.includes(one)),
    ]
    return [...first, ...others][this.#refusedMethods] ?? 'none'
  }

  /** The registration was refused as it is: the next one asks for the next method. */
  useNextAuthMethod(): void {
    this.#refusedMethods += 1
  }

  /** Of the authorization page, once it is known. */
  get address(): URL | undefined {
    return this.#address
  }

  get client(): StoredOAuthClientInformation | undefined {
    return this.#client
  }

  get issuedTokens(): StoredOAuthTokens | undefined {
    return this.#tokens
  }

  get resource(): string | undefined {
    return this.#resource
  }

  /** Whether the address of a client ID metadata document is a client ID there. */
  get takesDocument(): boolean {
    const metadata = this.#discovery.authorizationServerMetadata
    return metadata?.client_id_metadata_document_supported === true
  }

  state(): string {
    return this.#options.state
  }

  /**
   * What a person typed comes first; without it the SDK takes the document where the server does, and else registers
   * (MCP, client registration approaches). Throws a `ClientNeededError` where there is none and none
   * can be had.
   */
  clientInformation(
    context?: OAuthClientInformationContext,
  ): StoredOAuthClientInformation | undefined {
    if (this.#client || !context) return this.#client
    const { issuer } = context
    const { typedClient, typedClients } = this.#options
    const [, known] = Object.entries(typedClients).find(([one]) => sameIssuer(one, issuer)) ?? []
    const typed = typedClient ?? known
    if (typed) return (this.#client = { ...typed, issuer })
    const metadata = this.#discovery.authorizationServerMetadata
    const hasDocument = this.takesDocument && this.clientMetadataUrl !== undefined
    if (metadata && metadata.registration_endpoint === undefined && !hasDocument)
      throw new ClientNeededError(issuer)
    return undefined
  }

  /** A server that does not repeat the method took the one that it was asked for (RFC 7591, 3.2.1). */
  saveClientInformation(client: StoredOAuthClientInformation & RegisteredMethod): void {
    const isSilent =
      client.token_endpoint_auth_method === undefined && client.client_secret !== undefined
    const took = isSilent && this.#authMethod !== 'none'
    this.#client = { ...client, ...(took && { token_endpoint_auth_method: this.#authMethod }) }
  }

  tokens(): undefined {
    return undefined
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens
  }

  redirectToAuthorization(address: URL): void {
    this.#address = address
  }

  saveCodeVerifier(codeVerifier: string): void {
    this.#codeVerifier = codeVerifier
  }

  codeVerifier(): string {
    return this.#codeVerifier
  }

  saveResourceUrl(resource: string | URL): void {
    this.#resource = String(resource)
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  discoveryState(): OAuthDiscoveryState {
    return this.#discovery
  }
}
