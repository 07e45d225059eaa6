import { randomBytes } from 'node:crypto'

import {
  auth,
  type FetchLike,
  RegistrationRejectedError,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../src-shared/domain/app-error'
import type { SignInStep, SignInView } from '../../../src-shared/domain/running/sign-in'
import { Disposables } from '../lifecycle/disposables'
import type { Timekeeper } from '../ports'
import { discoverIssuer } from './discover-issuer'
import { ClientNeededError, FlowProvider, type FlowProviderOptions } from './flow-provider'
import { listenForRedirect, REDIRECT_ADDRESS, type RedirectListener } from './redirect-listener'
import { mayOpen } from './sign-in-address'
import { isInvalidClientMetadata, lateFailure, refused, signInFailure } from './sign-in-failure'
import { signInFetch } from './sign-in-fetch'
import type { SignedIn } from './sign-in-record'

/** How long a person has on the authorization page, in ms. */
export const SIGN_IN_MS = 5 * 60_000

export type SignInFlowOptions = Omit<FlowProviderOptions, 'redirectUrl' | 'state' | 'discovery'> & {
  readonly url: URL
  /** What the server said when it refused a request (RFC 9728, 5.1). */
  readonly challenge: { readonly resourceMetadataUrl?: URL; readonly scope?: string }
  readonly fetch: typeof globalThis.fetch
  readonly time: Timekeeper
  readonly onDidChange: () => void
  /** It is over, unless it was cancelled; called once. */
  readonly onDone: (end: SignedIn | AppError) => void
}

/** One sign-in, from the search for the authorization page to the tokens (MCP, authorization; RFC 8252). */
export class SignInFlow implements Disposable {
  readonly #options: SignInFlowOptions
  readonly #over = new AbortController()
  readonly #held = new Disposables()
  readonly #fetch: FetchLike
  #step: SignInStep | undefined
  #view: SignInView | undefined
  readonly #begun: Promise<SignInStep>

  constructor(options: SignInFlowOptions) {
    this.#options = options
    this.#fetch = signInFetch(options.url, options.fetch, this.#over.signal)
    this.#begun = this.#begin()
  }

  /** How the person goes on; rejects with an `AppError`, after which the flow is over. */
  get begun(): Promise<SignInStep> {
    return this.#begun
  }

  get view(): SignInView | undefined {
    return this.#view
  }

  /** Of the authorization page, while it is waited for. */
  get address(): string | undefined {
    return this.#step?.kind === 'ask' ? this.#step.address : undefined
  }

  /** Gives it up: nothing of it is kept, and what comes later is not heard. */
  [Symbol.dispose](): void {
    this.#over.abort(cancelled())
    this.#held[Symbol.dispose]()
  }

  async #begin(): Promise<SignInStep> {
    const { url, challenge } = this.#options
    let refusals = 0
    const state = randomBytes(32).toString('base64url')
    const listener = this.#held.add(
      await listenForRedirect({
        state,
        onRefused: () => {
          refusals += 1
          if (this.#view?.kind === 'waiting') this.#show({ ...this.#view, refused: refusals })
        },
      }),
    )
    let provider: FlowProvider | undefined
    try {
      const discovery = await discoverIssuer(url, challenge.resourceMetadataUrl, this.#fetch)
      const { redirectUrl } = listener
      provider = new FlowProvider({ ...this.#options, redirectUrl, state, discovery })
      await this.#register(provider)
      this.#over.signal.throwIfAborted()
      return this.#ask(provider, listener)
    } catch (error) {
      this.#held[Symbol.dispose]()
      if (this.#over.signal.aborted) throw cancelled()
      const needed = provider && clientNeeded(error, url, provider)
      if (needed && !this.#options.typedClient) return (this.#step = needed)
      throw signInFailure(error, url)
    }
  }

  /** As far as the authorization page: a registration that is refused for its metadata is tried with the next method. */
  async #register(provider: FlowProvider): Promise<void> {
    const { url, challenge } = this.#options
    const scope = challenge.scope === undefined ? {} : { scope: challenge.scope }
    const begin = (): Promise<unknown> =>
      auth(provider, { serverUrl: url, ...scope, fetchFn: this.#fetch })
    try {
      await begin()
    } catch (error) {
      if (!isInvalidClientMetadata(error)) throw error
      provider.useNextAuthMethod()
      await begin()
    }
  }

  #ask(provider: FlowProvider, listener: RedirectListener): SignInStep {
    const { address } = provider
    if (!address || !mayOpen(address)) throw unsafePage(address)
    const { time } = this.#options
    this.#held.add(time.after(SIGN_IN_MS, () => this.#end(lateFailure())))
    this.#step = { kind: 'ask', host: address.host, address: address.href }
    this.#show({
      kind: 'waiting',
      host: address.host,
      until: time.now() + SIGN_IN_MS,
      refused: 0,
    })
    void this.#finish(provider, listener, address.host)
    return this.#step
  }

  /** Never rejects. */
  async #finish(provider: FlowProvider, listener: RedirectListener, host: string): Promise<void> {
    const { url } = this.#options
    try {
      const answer = await listener.answer
      if (this.#over.signal.aborted) return
      this.#show({ kind: 'finishing', host })
      await auth(provider, {
        serverUrl: url,
        ...codeIn(answer, provider),
        fetchFn: this.#fetch,
      })
      this.#end(signedIn(provider, url, this.#options.time.now()))
    } catch (error) {
      this.#end(signInFailure(error, url))
    }
  }

  #end(end: SignedIn | AppError): void {
    if (this.#over.signal.aborted) return
    this[Symbol.dispose]()
    this.#options.onDone(end)
  }

  #show(view: SignInView): void {
    if (this.#over.signal.aborted) return
    this.#view = view
    this.#options.onDidChange()
  }
}

/** The code of an answer; throws the refusal in it, once it is known to come from who was asked (RFC 9207). */
function codeIn(
  answer: URLSearchParams,
  provider: FlowProvider,
): { authorizationCode: string; iss?: string } {
  const metadata = provider.discoveryState().authorizationServerMetadata
  // Character by character, as the specification has it (2026-07-28, authorization): it is the issuer's own text twice.
  const iss = answer.get('iss') ?? undefined
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  })
  const code = answer.get('code')
  const error = answer.get('error')
  if (error !== null || code === null)
    throw refused(error ?? 'no code', answer.get('error_description') ?? '')
  return { authorizationCode: code, ...(iss !== undefined && { iss }) }
}

function signedIn(provider: FlowProvider, url: URL, now: number): SignedIn {
  const { client, issuedTokens: tokens, resource } = provider
  const discovery = provider.discoveryState()
  if (!client || !tokens) throw new Error('the tokens are not there')
  return {
    serverUrl: url.href,
    authorizationServerUrl: discovery.authorizationServerUrl,
    issuer: tokens.issuer ?? discovery.authorizationServerUrl,
    resource,
    client: { ...client },
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    scope: tokens.scope,
    issuedAt: now,
    ...(tokens.expires_in !== undefined && { expiresAt: now + tokens.expires_in * 1_000 }),
  }
}

function clientNeeded(
  error: unknown,
  url: URL,
  { takesDocument }: FlowProvider,
): SignInStep | undefined {
  const step = { kind: 'clientNeeded', redirectUrl: REDIRECT_ADDRESS, takesDocument } as const
  if (error instanceof ClientNeededError) {
    const host = URL.canParse(error.issuer) ? new URL(error.issuer).host : url.host
    return { ...step, host }
  }
  if (!(error instanceof RegistrationRejectedError)) return undefined
  const { hint } = signInFailure(error, url)
  return { ...step, host: url.host, ...(hint && { said: hint }) }
}

function unsafePage(address: URL | undefined): AppError {
  const shown = address ? `${address.protocol}//${address.host}` : 'none'
  return new AppError('SIGN_IN_FAILED', `The server’s sign-in page isn’t allowed: ${shown}.`, {
    hint: 'Sign-in requires https, or http on this computer. The server is faulty or malicious; report it to its authors.',
  })
}

function cancelled(): AppError {
  return new AppError('REQUEST_CANCELLED', 'The sign-in was canceled.')
}
