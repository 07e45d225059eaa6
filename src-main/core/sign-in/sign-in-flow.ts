import { randomBytes } from 'node:crypto'

import {
  exchangeAuthorization,
  type FetchLike,
  type OAuthDiscoveryState,
  type OAuthTokens,
  RegistrationRejectedError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import type { SignInStep, SignInView } from '../../../src-shared/domain/running/sign-in'
import { background } from '../lifecycle/background'
import { Disposables } from '../lifecycle/disposables'
import {
  asksOffline,
  type AuthorizationRequest,
  authorizationRequest,
  refusesResource,
  relaxed,
  resourceFor,
} from './authorization-request'
import { discoverIssuer } from './discover-issuer'
import {
  ClientNeededError,
  type FlowClient,
  issuerOf,
  openFlowClient,
  takesClientDocument,
} from './flow-client'
import { listenForRedirect, type RedirectAnswer } from './redirect-listener'
import { mayOpen } from './sign-in-address'
import { lateFailure, OtherAddressError, RejectedError, signInFailure } from './sign-in-failure'
import { signInFetch } from './sign-in-fetch'
import type { LearnedOfIssuer, SignInKeeper, SignInOptions } from './sign-in-keeper'
import { type Client, memoryOf, type SignedIn } from './sign-in-record'

/** Time for the user on the authorization page, in ms. */
export const SIGN_IN_MS = 5 * 60_000
/** Authorization pages of one sign-in: the first, and one without the rejected parameter. */
const MAX_PAGES = 2
const SIGNED_IN = { title: 'Signed in', text: 'You can close this tab and return to Patchbay.' }

/** The server to sign in at. */
export type SignInRequest = {
  readonly url: URL
  /** The challenge of the rejected request (RFC 9728, 5.1), with the scopes granted before. */
  readonly challenge: { readonly resourceMetadataUrl?: URL; readonly scope?: string }
  /** The client that the user just typed, for any issuer. */
  readonly typedClient: Client | undefined
}

/** Everything needed to build the authorization page. */
type Target = FlowClient & {
  readonly discovery: OAuthDiscoveryState
  readonly issuer: string
}

/** One sign-in, from discovery to the tokens (MCP, authorization; RFC 8252). */
export class SignInFlow implements Disposable {
  readonly #abort = new AbortController()
  readonly #held = new Disposables()
  readonly #fetch: FetchLike
  #address: string | undefined
  #view: SignInView | undefined
  #refusals = 0
  #pages = 0
  /** The issuer of an open page with an earlier client, until the page answers. */
  #unanswered: string | undefined
  /** The user's next step; rejects with an `AppError`, and the flow ends. */
  readonly firstStep: Promise<SignInStep>

  constructor(
    private readonly options: Omit<SignInOptions, 'installationId' | 'secrets'>,
    /** Reads and stores data of earlier sign-ins. */
    private readonly keeper: Pick<SignInKeeper, 'record' | 'learn'>,
    private readonly request: SignInRequest,
    /** Called once at the end, unless the flow was canceled. */
    private readonly onDone: (end: SignedIn | AppError) => void,
  ) {
    this.#fetch = signInFetch(request.url, options.fetch, this.#abort.signal)
    this.firstStep = this.#begin()
  }

  get view(): SignInView | undefined {
    return this.#view
  }

  /** The address of the authorization page while the flow waits for it. */
  get address(): string | undefined {
    return this.#address
  }

  /** Cancels the flow: nothing is kept, and later responses are ignored. */
  [Symbol.dispose](): void {
    // An issuer that answered with an error page may have forgotten the client.
    if (this.#unanswered !== undefined) this.#learn(this.#unanswered, { registered: null })
    this.#unanswered = undefined
    this.#abort.abort(cancelled())
    this.#held[Symbol.dispose]()
  }

  get #isOver(): boolean {
    return this.#abort.signal.aborted
  }

  async #begin(): Promise<SignInStep> {
    const { url, challenge, typedClient } = this.request
    let discovery: OAuthDiscoveryState | undefined
    try {
      discovery = await discoverIssuer(url, challenge.resourceMetadataUrl, this.#fetch)
      const target = await this.#openClient(discovery)
      this.#abort.signal.throwIfAborted()
      const page = await this.#openPage(target, this.#requestFor(target.discovery, target.client))
      this.#held.add(this.options.time.after(SIGN_IN_MS, () => this.#end(lateFailure())))
      return { kind: 'ask', host: page.host, address: page.href }
    } catch (error) {
      this.#held[Symbol.dispose]()
      if (this.#abort.signal.aborted) throw cancelled()
      if (error instanceof OtherAddressError && error.isSameHost) return error.step
      const needed = discovery && (await this.#clientNeeded(error, discovery))
      if (needed && !typedClient) return needed
      throw signInFailure(error, url)
    }
  }

  async #openClient(discovery: OAuthDiscoveryState): Promise<Target> {
    const { typedClient, url } = this.request
    const { record } = this.keeper
    const issuer = issuerOf(discovery)
    // Check before registering: a server at another address learns nothing.
    resourceFor(url, discovery.resourceMetadata?.resource)
    const opened = await openFlowClient({
      discovery,
      record: typedClient ? { ...record, typedClients: { [issuer]: typedClient } } : record,
      clientMetadataUrl: this.options.clientMetadataUrl(),
      scope: this.#requestFor(discovery, undefined).scope,
      fetchFn: this.#fetch,
      onRejected: () => {
        this.#refusals += 1
        if (this.#view?.kind === 'waiting')
          this.#show({ ...this.#view, rejectedCount: this.#refusals })
      },
    })
    this.#held.add(opened.listener)
    const { origin, client, learned } = opened
    const isNew = origin === 'registered'
    this.#learn(issuer, { ...learned, ...(isNew && { registered: client }) })
    return { ...opened, discovery, issuer }
  }

  #requestFor(discovery: OAuthDiscoveryState, client: Client | undefined): AuthorizationRequest {
    const { url, challenge } = this.request
    const { record } = this.keeper
    const { resourceMetadata, authorizationServerMetadata: metadata } = discovery
    const typed = typeof client?.scopes === 'string' ? client.scopes : undefined
    return authorizationRequest({
      resource: resourceFor(url, resourceMetadata?.resource),
      challenged: challenge.scope ?? typed,
      named: resourceMetadata?.scopes_supported,
      extra: record.extraScopes,
      registered: typeof client?.scope === 'string' ? client.scope : undefined,
      metadata,
      memory: memoryOf(record, issuerOf(discovery)),
    })
  }

  /** Prepares the authorization page; throws SIGN_IN_FAILED if its address is not allowed. */
  async #openPage(target: Target, request: AuthorizationRequest): Promise<URL> {
    const { discovery, client, listener, issuer } = target
    const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
    const state = randomBytes(32).toString('base64url')
    const { scope, resource } = request
    const { authorizationUrl: page, codeVerifier } = await startAuthorization(
      authorizationServerUrl,
      {
        ...(metadata && { metadata }),
        clientInformation: client,
        redirectUrl: listener.redirectUrl,
        state,
        ...(scope !== undefined && { scope }),
        ...(resource !== undefined && { resource }),
      },
    )
    if (asksOffline(page, memoryOf(this.keeper.record, issuer))) {
      page.searchParams.set('access_type', 'offline')
      page.searchParams.set('prompt', 'consent')
    }
    if (!mayOpen(page)) throw unsafePage(page)
    this.#pages += 1
    this.#address = page.href
    if (target.origin === 'reused') this.#unanswered = issuer
    listener.expect(state, (answer) => this.#answered(answer, target, request, codeVerifier))
    this.#show({
      ...{ kind: 'waiting', host: page.host, rejectedCount: this.#refusals },
      until: this.options.time.now() + SIGN_IN_MS,
    })
    return page
  }

  /** Returns what the browser shows for a response of the authorization page; never rejects. */
  async #answered(
    answer: URLSearchParams,
    target: Target,
    request: AuthorizationRequest,
    codeVerifier: string,
  ): Promise<RedirectAnswer> {
    const { url } = this.request
    if (this.#abort.signal.aborted) return notSignedIn(cancelled())
    this.#unanswered = undefined
    this.#address = undefined
    if (this.#view?.kind === 'waiting') this.#show({ kind: 'finishing', host: this.#view.host })
    try {
      const { code, iss } = codeIn(answer, target.discovery)
      const exchanged = await this.#exchange(target, request, { code, iss, codeVerifier })
      this.#end(signedIn(target, exchanged, url, this.options.time.now()))
      return SIGNED_IN
    } catch (error) {
      const mayAsk = this.#pages < MAX_PAGES && !this.#isOver
      const next = mayAsk ? relaxed(error, request) : undefined
      if (next) {
        this.#learn(target.issuer, next.learned)
        try {
          return await this.#openPage(target, next.request)
        } catch (failure) {
          return this.#fail(signInFailure(failure, url))
        }
      }
      return this.#fail(signInFailure(error, url))
    }
  }

  /** Redeems the code, once more without `resource` if that is rejected. */
  async #exchange(
    { discovery, client, listener, issuer }: Target,
    request: AuthorizationRequest,
    { code, iss, codeVerifier }: { code: string; iss: string | undefined; codeVerifier: string },
  ): Promise<Exchanged> {
    const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
    const redeem = (resource: string | undefined): Promise<OAuthTokens> =>
      exchangeAuthorization(authorizationServerUrl, {
        ...(metadata && { metadata }),
        clientInformation: client,
        authorizationCode: code,
        ...(iss !== undefined && { iss }),
        codeVerifier,
        redirectUri: listener.redirectUrl,
        ...(resource !== undefined && { resource }),
        fetchFn: this.#fetch,
      })
    try {
      return { tokens: await redeem(request.resource), request }
    } catch (error) {
      if (request.resource === undefined || !refusesResource(error)) throw error
      const tokens = await redeem(undefined)
      this.#learn(issuer, { withoutResource: true })
      return { tokens, request: { ...request, resource: undefined } }
    }
  }

  #learn(issuer: string, learned: LearnedOfIssuer): void {
    if (Object.keys(learned).length > 0)
      background(this.keeper.learn(issuer, learned), 'remembering a provider')
  }

  /** The form for entering a client, with a redirect to register. */
  async #clientNeeded(
    error: unknown,
    discovery: OAuthDiscoveryState,
  ): Promise<SignInStep | undefined> {
    const isRejected = error instanceof RegistrationRejectedError
    if (!isRejected && !(error instanceof ClientNeededError)) return undefined
    const { url } = this.request
    using free = await listenForRedirect({ onRejected: () => undefined })
    const issuer = URL.parse(issuerOf(discovery))
    const { hint } = isRejected ? signInFailure(error, url) : {}
    return {
      ...{ kind: 'clientNeeded', redirectUrl: free.redirectUrl },
      takesDocument: takesClientDocument(discovery),
      host: isRejected ? url.host : (issuer?.host ?? url.host),
      ...(hint !== undefined && { providerMessage: hint }),
    }
  }

  #fail(failure: AppError): RedirectAnswer {
    this.#end(failure)
    return notSignedIn(failure)
  }

  #end(end: SignedIn | AppError): void {
    if (this.#abort.signal.aborted) return
    this[Symbol.dispose]()
    this.onDone(end)
  }

  #show(view: SignInView): void {
    if (this.#abort.signal.aborted) return
    this.#view = view
    this.options.onEvent({ kind: 'changed' })
  }
}

type Exchanged = { readonly tokens: OAuthTokens; readonly request: AuthorizationRequest }

/** Returns the code of a response; throws its error, after checking that the response comes from the issuer (RFC 9207). */
function codeIn(
  answer: URLSearchParams,
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
): { readonly code: string; readonly iss: string | undefined } {
  // The specification compares issuers character by character (2026-07-28, authorization).
  const iss = answer.get('iss') ?? undefined
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  })
  const code = answer.get('code')
  const error = answer.get('error')
  if (error !== null || code === null)
    throw new RejectedError(error ?? 'no code', answer.get('error_description') ?? '')
  return { code, iss }
}

function signedIn(
  { discovery, client, issuer }: Target,
  { tokens, request }: Exchanged,
  url: URL,
  now: number,
): SignedIn {
  return {
    serverUrl: url.href,
    authorizationServerUrl: discovery.authorizationServerUrl,
    issuer,
    resource: request.resource,
    client: { ...client },
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    // A response without scope grants the requested one (RFC 6749, 5.1).
    scope: tokens.scope ?? request.scope,
    issuedAt: now,
    ...(tokens.expires_in !== undefined && { expiresAt: now + tokens.expires_in * 1_000 }),
  }
}

function notSignedIn({ message, hint = '' }: AppError): RedirectAnswer {
  return { title: 'Not signed in', text: `${message} ${hint} Return to Patchbay.` }
}

function unsafePage({ protocol, host }: URL): AppError {
  const message = `The server’s sign-in page isn’t allowed: ${protocol}//${host}.`
  return new AppError('SIGN_IN_FAILED', message, {
    hint: 'Sign-in requires https, or http on this computer. The server is faulty or malicious; report it to its authors.',
  })
}

function cancelled(): AppError {
  return new AppError('REQUEST_CANCELLED', 'The sign-in was canceled.')
}
