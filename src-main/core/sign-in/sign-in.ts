import {
  assertSecureTokenEndpoint,
  computeScopeUnion,
  type FetchLike,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client'
import * as z from 'zod'

import { AppError } from '../../../src-shared/domain/app-error'
import type {
  SignInOffer,
  SignInStep,
  SignInView,
  TypedClient,
} from '../../../src-shared/domain/running/sign-in'
import { messageOf } from '../failure/describe-failure'
import type { SignInNeededError } from '../failure/remote-failure'
import { background } from '../lifecycle/background'
import { withTimeLimit } from '../lifecycle/time-limit'
import type {
  OpenSessionAuth,
  SessionAuth,
  SessionAuthEvents,
} from '../mcp/connections/remote-fetch'
import { issuerMetadata } from './discover-issuer'
import { isRedirectUrl } from './redirect-listener'
import { type Challenge, sessionSignIn } from './session-sign-in'
import { isUnknownClient } from './sign-in-failure'
import { signInFetch } from './sign-in-fetch'
import { SignInFlow } from './sign-in-flow'
import { type SignInEvent, SignInKeeper, type SignInOptions } from './sign-in-keeper'
import type { Client, SignedIn } from './sign-in-record'

/** How tokens are taken back (RFC 8414, 2); it stands in what OpenID providers tell, too. */
const Revocation = z.object({
  revocation_endpoint: z.url().optional(),
  revocation_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})

/**
 * Takes tokens back at their issuer (RFC 7009): the refresh token with all that came from it, then the access token.
 * False where the issuer offers no way or rejects; rejects when it cannot be reached.
 */
async function revokeTokens(signedIn: SignedIn, fetchFn: FetchLike): Promise<boolean> {
  const { client, accessToken, refreshToken } = signedIn
  const metadata = await issuerMetadata(signedIn, fetchFn)
  const offer = Revocation.safeParse(metadata).data
  if (offer?.revocation_endpoint === undefined) return false
  const address = assertSecureTokenEndpoint(offer.revocation_endpoint)
  const methods =
    offer.revocation_endpoint_auth_methods_supported ?? offer.token_endpoint_auth_methods_supported
  const method = selectClientAuthMethod(client, methods ?? [])
  const tokens = [
    ['refresh_token', refreshToken],
    ['access_token', accessToken],
  ] as const
  let isRevoked = true
  for (const [token_type_hint, token] of tokens) {
    if (token === undefined) continue
    const { headers, body } = requestFor(method, client, { token, token_type_hint })
    const response = await fetchFn(address, { method: 'POST', headers, body })
    await response.body?.cancel()
    isRevoked &&= response.ok
  }
  return isRevoked
}

function requestFor(
  method: ReturnType<typeof selectClientAuthMethod>,
  { client_id, client_secret = '' }: Client,
  fields: Readonly<Record<string, string>>,
): { readonly headers: Headers; readonly body: string } {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  const form = new URLSearchParams(fields)
  if (method === 'client_secret_basic') {
    // As the SDK does for tokens: what was taken there is taken here.
    const pair = `${client_id}:${client_secret}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  } else form.set('client_id', client_id)
  if (method === 'client_secret_post') form.set('client_secret', client_secret)
  return { headers, body: form.toString() }
}

/** How long an authorization server has to take tokens back, in ms; they are gone from here in any case. */
const REVOKE_MS = 5_000

type Needed = { readonly error: SignInNeededError; readonly token: string | undefined }

/** The sign-in of one remote server: its tokens, and the flow by which a user gets them. */
export class SignIn implements Disposable {
  readonly #keeper: SignInKeeper
  #flow: SignInFlow | undefined
  #failure: AppError | undefined
  /** Where its server was reached last, and what that said of a sign-in. */
  #url: URL | undefined
  #challenge: Challenge = {}
  /** The newest request that was rejected, with the token that it carried. */
  #needed: Needed | undefined
  /** The newest start masks for all. */
  #events: SessionAuthEvents | undefined

  constructor(private readonly options: SignInOptions) {
    this.#keeper = new SignInKeeper(options, (all) => this.#events?.onSecrets(all))
  }

  /** What goes on; undefined where nothing does. */
  get view(): SignInView | undefined {
    const { message, hint } = this.#failure ?? {}
    if (message !== undefined) return { kind: 'failed', message, hint }
    return this.#flow?.view
  }

  /** Why a request was rejected that a sign-in makes possible, until another token is accepted or a session begins. */
  get offer(): SignInOffer | undefined {
    if (!this.#needed) return undefined
    const { message, hint } = this.#needed.error
    return { message, hint }
  }

  /** When the sign-in ends, epoch ms; undefined where it lasts, or where that isn't known. */
  get endsAt(): number | undefined {
    const { refreshToken, expiresAt } = this.#keeper.signedIn ?? {}
    return refreshToken === undefined ? expiresAt : undefined
  }

  /** Known once it is loaded. */
  get isSignedIn(): boolean {
    return this.#keeper.signedIn !== undefined
  }

  /** Reads the keychain; rejects with SECRET_STORE_FAILED. */
  async load(): Promise<void> {
    await this.#keeper.load()
  }

  /** For a session at `url`; the masks are set again with every token. */
  readonly open: OpenSessionAuth = (url, events): SessionAuth => {
    this.#url = url
    this.#events = events
    // The user may have typed other headers since, which no accepted token would show.
    this.#setNeeded(undefined)
    events.onSecrets(this.#keeper.secrets)
    return sessionSignIn(
      this.#keeper,
      url,
      {
        onChallenge: (challenge) => {
          this.#challenge = challenge
        },
        onNeeded: (error, token) => this.#setNeeded({ error, token }),
        onRejectedAgain: () => this.options.onEvent({ kind: 'refusedAgain' }),
        onAccepted: (token) => {
          if (this.#needed && this.#needed.token !== token) this.#setNeeded(undefined)
        },
      },
      this.options.time,
    )
  }

  /**
   * Begins a flow or joins the one under way; `scopes` are asked for as well, from now on. See `signIn.begin` for what it
   * rejects with.
   */
  async begin(typed: TypedClient | undefined, scopes?: string): Promise<SignInStep> {
    await this.load()
    if (scopes !== undefined) {
      // The page of before asks for less.
      if (this.#flow) this.#close(this.#flow)
      const extraScopes = scopes.trim()
      await this.#keeper.prepare({ extraScopes: extraScopes === '' ? undefined : extraScopes })
    }
    const { signedIn } = this.#keeper
    const url = this.#url ?? (signedIn && new URL(signedIn.serverUrl))
    if (!url)
      throw new AppError('INVALID_REQUEST', 'The server’s sign-in address is not known yet.', {
        hint: 'Start the server first to check whether it requires sign-in.',
      })
    this.#failure = undefined
    this.#flow ??= this.#openFlow(url, typed)
    const flow = this.#flow
    try {
      const step = await flow.begun
      if (step.kind !== 'ask') this.#close(flow)
      return step
    } catch (error) {
      this.#close(flow)
      throw error
    }
  }

  /** Takes a client that an imported configuration names, for whichever issuer the server has. Rejects with INVALID_VALUES or SECRET_STORE_FAILED. */
  async prepare(client: TypedClient, scopes?: string): Promise<void> {
    await this.#keeper.prepare({ preset: { ...clientOf(client), ...(scopes && { scopes }) } })
  }

  /** Of the page that a user may open now; throws INVALID_REQUEST where none is waited for. */
  get address(): string {
    const address = this.#flow?.address
    if (address !== undefined) return address
    throw new AppError('INVALID_REQUEST', 'No sign-in is in progress.', { hint: 'Sign in again.' })
  }

  cancel(): void {
    this.#failure = undefined
    if (this.#flow) this.#close(this.#flow)
    this.#changed()
  }

  /** Forgets the tokens and resolves to whether they were taken back. Rejects with SECRET_STORE_FAILED. */
  async signOut(): Promise<boolean> {
    this.cancel()
    const signedIn = await this.#keeper.forget()
    if (!signedIn) return false
    this.#log('info', 'Signed out')
    return this.#revoke(signedIn)
  }

  /** Forgets everything, as the installation is removed, and has the tokens taken back meanwhile. Rejects with SECRET_STORE_FAILED. */
  async remove(): Promise<void> {
    this[Symbol.dispose]()
    const signedIn = await this.#keeper.forget()
    await this.#keeper.remove()
    if (signedIn) background(this.#revoke(signedIn), 'revoking a sign-in')
  }

  [Symbol.dispose](): void {
    this.#keeper[Symbol.dispose]()
    this.#flow?.[Symbol.dispose]()
    this.#flow = undefined
  }

  #openFlow(url: URL, typed: TypedClient | undefined): SignInFlow {
    const typedClient = typed && clientOf(typed)
    const challenge = withGranted(this.#challenge, this.#keeper.signedIn?.scope)
    const request = { url, challenge, typedClient }
    const flow: SignInFlow = new SignInFlow(this.options, this.#keeper, request, (end) => {
      if (this.#flow === flow) this.#flow = undefined
      if (end instanceof AppError) this.#failed(end)
      else background(this.#succeed(end, typed !== undefined), 'finishing a sign-in')
    })
    return flow
  }

  #setNeeded(needed: Needed | undefined): void {
    const before = this.offer?.message
    this.#needed = needed
    if (this.offer?.message !== before) this.#changed()
  }

  #failed(failure: AppError): void {
    if (isUnknownClient(failure.cause))
      background(this.#keeper.forgetClients(), 'forgetting a client')
    this.#failure = failure
    this.#log('warn', `Sign-in failed: ${failure.message}`)
    this.#changed()
  }

  /** Never rejects. */
  async #succeed(signedIn: SignedIn, isTyped: boolean): Promise<void> {
    try {
      await this.#keeper.save(signedIn, { isTyped })
    } catch (error) {
      this.#log('warn', `Signed in until Patchbay quits: ${messageOf(error)}`)
    }
    this.#log('info', 'Signed in')
    const { endsAt } = this
    if (endsAt !== undefined) {
      const at = new Date(endsAt).toLocaleString(undefined, {
        dateStyle: 'short',
        timeStyle: 'short',
      })
      this.#log('warn', `This provider gave no lasting sign-in. It ends at ${at}.`)
    }
    this.#changed()
    this.options.onEvent({ kind: 'signedIn' })
  }

  #changed(): void {
    this.options.onEvent({ kind: 'changed' })
  }

  #log(level: 'info' | 'warn', text: string): void {
    this.options.onEvent({ kind: 'log', level, text })
  }

  /** Never rejects. */
  async #revoke(signedIn: SignedIn): Promise<boolean> {
    const { fetch } = this.options
    const fetchFn = signInFetch(new URL(signedIn.serverUrl), fetch, AbortSignal.timeout(REVOKE_MS))
    try {
      return await withTimeLimit(REVOKE_MS, () => revokeTokens(signedIn, fetchFn))
    } catch (error) {
      this.#log('warn', `The tokens couldn’t be revoked: ${messageOf(error)}`)
      return false
    }
  }

  #close(flow: SignInFlow): void {
    flow[Symbol.dispose]()
    if (this.#flow === flow) this.#flow = undefined
  }
}

/** Rights that were given before are asked for again, so that none is lost for another. */
function withGranted({ scope, ...challenge }: Challenge, granted: string | undefined): Challenge {
  const all = scope === undefined ? undefined : computeScopeUnion(granted, scope)
  return { ...challenge, ...(all !== undefined && { scope: all }) }
}

/** Throws INVALID_VALUES for a redirect that leads elsewhere. */
function clientOf({ clientId, clientSecret = '', redirectUrl = '' }: TypedClient): Client {
  if (redirectUrl !== '' && !isRedirectUrl(redirectUrl))
    throw new AppError(
      'INVALID_VALUES',
      `The redirect URL ${redirectUrl} doesn’t lead back here.`,
      {
        hint: 'Use http with 127.0.0.1 or localhost, such as http://localhost:3118/callback.',
      },
    )
  return {
    client_id: clientId,
    ...(clientSecret !== '' && { client_secret: clientSecret }),
    ...(redirectUrl !== '' && { redirect_url: redirectUrl }),
  }
}

export type SignInsOptions = Omit<SignInOptions, 'installationId' | 'onEvent'> & {
  readonly onEvent: (installationId: string, event: SignInEvent) => void
}

/** The sign-ins of all remote servers, by installation. */
export class SignIns implements Disposable {
  readonly #byId = new Map<string, SignIn>()

  constructor(private readonly options: SignInsOptions) {}

  find(installationId: string): SignIn | undefined {
    return this.#byId.get(installationId)
  }

  /** The one of an installation, made where there is none yet. */
  of(installationId: string): SignIn {
    const found = this.#byId.get(installationId) ?? this.#make(installationId)
    this.#byId.set(installationId, found)
    return found
  }

  /** For the sessions of an installation. */
  openFor(installationId: string): OpenSessionAuth {
    return this.of(installationId).open
  }

  /** Forgets all of an installation that is removed. Rejects with SECRET_STORE_FAILED. */
  async remove(installationId: string): Promise<void> {
    // Every sign-in was read when the app opened, or began since.
    await this.#byId.get(installationId)?.remove()
    this.#byId.delete(installationId)
  }

  /** Gives up what is under way; tokens stay where they are. */
  [Symbol.dispose](): void {
    for (const one of this.#byId.values()) one[Symbol.dispose]()
  }

  #make(installationId: string): SignIn {
    const { options } = this
    return new SignIn({
      ...options,
      installationId,
      onEvent: (event) => options.onEvent(installationId, event),
    })
  }
}
