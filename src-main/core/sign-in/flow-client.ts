import {
  type FetchLike,
  type OAuthClientMetadata,
  type OAuthDiscoveryState,
  registerClient,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import { LOOPBACK } from '../listener/bind-loopback'
import { sameIssuer } from './discover-issuer'
import { listenForRedirect, type RedirectListener } from './redirect-listener'
import { isInvalidClientMetadata, refusesRedirect } from './sign-in-failure'
import { type Client, type IssuerMemory, memoryOf, type SignInRecord } from './sign-in-record'

/** Authentication methods of a token endpoint, simplest first. */
const AUTH_METHODS: readonly string[] = ['none', 'client_secret_post', 'client_secret_basic']
/** Registration attempts: the first, one with another method, one with another redirect. */
const MAX_REGISTRATIONS = 3

/** Patchbay can't register at the authorization server, and the user entered no client. */
export class ClientNeededError extends Error {
  override readonly name = 'ClientNeededError'
  constructor(readonly issuer: string) {
    super(`${issuer} does not support client registration.`)
  }
}

/** The client that Patchbay uses at the issuer, and the listener for its redirect. */
export type FlowClient = {
  readonly client: Client
  readonly listener: RedirectListener
  /** Whether the client was registered now or in an earlier sign-in; `given` for any other client. */
  readonly origin: 'registered' | 'reused' | 'given'
  readonly learned: IssuerMemory
}

export type FlowClientOptions = {
  readonly discovery: OAuthDiscoveryState
  /** Data of earlier sign-ins, and the client that the user just typed. */
  readonly record: SignInRecord
  /** Address of Patchbay's client ID metadata document; empty if there is none. */
  readonly clientMetadataUrl: string
  /** Scopes to register a new client for. */
  readonly scope: string | undefined
  readonly fetchFn: FetchLike
  readonly onRejected: () => void
}

/**
 * Picks a client in this order: one the user typed, one registered before, the client ID metadata document if the issuer accepts it, a new
 * registration (MCP, client registration approaches). Rejects with a `ClientNeededError` if no client is available, with SIGN_IN_FAILED if
 * the redirect's port is taken, and with the registration's error.
 */
export async function openFlowClient(options: FlowClientOptions): Promise<FlowClient> {
  const { discovery, record, clientMetadataUrl, onRejected } = options
  const issuer = issuerOf(discovery)
  const { authorizationServerMetadata: metadata } = discovery
  const typed = ofIssuer(record.typedClients, issuer) ?? record.preset
  if (typed) {
    const listener = await listenForRedirect({ redirectUrl: typed.redirect_url, onRejected })
    return { client: typed, listener, origin: 'given', learned: {} }
  }
  const registered = ofIssuer(record.registered ?? {}, issuer)
  if (registered && !hasExpired(registered)) {
    const { redirect_url: redirectUrl } = registered
    const listener = await unlessTaken(() => listenForRedirect({ redirectUrl, onRejected }))
    if (listener) return { client: registered, listener, origin: 'reused', learned: {} }
  }
  const takesDocument = takesClientDocument(discovery) && clientMetadataUrl !== ''
  if (takesDocument) {
    const listener = await listenForRedirect({
      host: hostFor(memoryOf(record, issuer)),
      onRejected,
    })
    const client = { client_id: clientMetadataUrl }
    return { client, listener, origin: 'given', learned: {} }
  }
  if (metadata && metadata.registration_endpoint === undefined) throw new ClientNeededError(issuer)
  return register(options)
}

/** The issuer as its metadata names it. */
export function issuerOf(discovery: OAuthDiscoveryState): string {
  return discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl
}

/** Whether the issuer accepts the address of a client ID metadata document as a client ID. */
export function takesClientDocument({ authorizationServerMetadata }: OAuthDiscoveryState): boolean {
  return authorizationServerMetadata?.client_id_metadata_document_supported === true
}

/** Retries a registration that was rejected for its method or its redirect with the next one. */
async function register(options: FlowClientOptions): Promise<FlowClient> {
  const { discovery, record, fetchFn, onRejected, scope } = options
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
  let host = hostFor(memoryOf(record, issuerOf(discovery)))
  let rejectedMethods = 0
  for (let tries = 1; ; tries += 1) {
    const listener = await listenForRedirect({ host, onRejected })
    const method = authMethod(metadata?.token_endpoint_auth_methods_supported, rejectedMethods)
    try {
      // oxlint-disable-next-line typescript/no-deprecated -- most issuers take no metadata document yet
      const answer = await registerClient(authorizationServerUrl, {
        ...(metadata && { metadata }),
        clientMetadata: clientMetadata(listener.redirectUrl, method),
        ...(scope !== undefined && { scope }),
        fetchFn,
      })
      const client = { ...withMethod(answer, method), redirect_url: listener.redirectUrl }
      const learned: IssuerMemory = host === 'localhost' ? { localhost: true } : {}
      return { client, listener, origin: 'registered', learned }
    } catch (error) {
      listener[Symbol.dispose]()
      const isLast = tries === MAX_REGISTRATIONS
      if (!isLast && host === LOOPBACK && refusesRedirect(error)) host = 'localhost'
      else if (!isLast && rejectedMethods === 0 && isInvalidClientMetadata(error))
        rejectedMethods += 1
      else throw error
    }
  }
}

function clientMetadata(redirectUrl: string, method: string): OAuthClientMetadata {
  return {
    client_name: 'Patchbay',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    application_type: 'native',
  }
}

/** Supported methods first, and among them those without a secret. */
function authMethod(supported: readonly string[] | undefined, rejected: number): string {
  const isSupported = (one: string): boolean => (supported ?? AUTH_METHODS).includes(one)
  const sorted = [
    ...AUTH_METHODS.filter(isSupported),
    ...AUTH_METHODS.filter((one) => !isSupported(one)),
  ]
  return sorted[rejected] ?? 'none'
}

/** An issuer that doesn't repeat the method has accepted the requested one (RFC 7591, 3.2.1). */
function withMethod(client: Client, method: string): Client {
  const isSilent =
    client.token_endpoint_auth_method === undefined && client.client_secret !== undefined
  return isSilent && method !== 'none' ? { ...client, token_endpoint_auth_method: method } : client
}

function hostFor({ localhost }: IssuerMemory): 'localhost' | typeof LOOPBACK {
  return localhost === true ? 'localhost' : LOOPBACK
}

function ofIssuer(clients: Readonly<Record<string, Client>>, issuer: string): Client | undefined {
  return Object.entries(clients).find(([one]) => sameIssuer(one, issuer))?.[1]
}

/** Zero means the secret never expires (RFC 7591, 3.2.1). */
function hasExpired({ client_secret_expires_at: at = 0 }: Client): boolean {
  return at !== 0 && at * 1_000 <= Date.now()
}

/** Undefined if the port of a registered client is in use. */
async function unlessTaken(
  listen: () => Promise<RedirectListener>,
): Promise<RedirectListener | undefined> {
  try {
    return await listen()
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
