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

/** Members of RFC 8414, section 2, for revocation; OpenID providers publish them too. */
const Revocation = z.object({
  revocation_endpoint: z.url().optional(),
  revocation_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})

/**
 * Revokes the tokens at their issuer (RFC 7009): the refresh token, then the access token. False if the issuer has no revocation endpoint
 * or rejects; rejects if it can't be reached.
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
    // The SDK sends the pair like this in token requests.
    const pair = `${client_id}:${client_secret}`
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
  } else form.set('client_id', client_id)
  if (method === 'client_secret_post') form.set('client_secret', client_secret)
  return { headers, body: form.toString() }
}

/** Time limit for revoking, in ms; the tokens are deleted here in any case. */
const REVOKE_MS = 5_000

type Needed = { readonly error: SignInNeededError; readonly token: string | undefined }

/** The sign-in of one remote server: its tokens, and the flow that gets them. */
export class SignIn implements Disposable {
  readonly #keeper: SignInKeeper
  #flow: SignInFlow | undefined
  #failure: AppError | undefined
  /** The server's last address, and its last challenge. */
  #url: URL | undefined
  #challenge: Challenge = {}
  /** The newest rejected request, with its token. */
  #needed: Needed | undefined
  /** Events of the newest session, which mask the tokens. */
  #events: SessionAuthEvents | undefined

  constructor(private readonly options: SignInOptions) {
    this.#keeper = new SignInKeeper(options, (all) => this.#events?.onSecrets(all))
  }

  /** The state of a running or failed sign-in; undefined for none. */
  get view(): SignInView | undefined {
    const { message, hint } = this.#failure ?? {}
    if (message !== undefined) return { kind: 'failed', message, hint }
    return this.#flow?.view
  }

  /** Why a request needs a sign-in, until another token is accepted or a session begins. */
  get offer(): SignInOffer | undefined {
    if (!this.#needed) return undefined
    const { message, hint } = this.#needed.error
    return { message, hint }
  }

  /** End of the sign-in, epoch ms; undefined if it can be renewed or the end is unknown. */
  get endsAt(): number | undefined {
    const { refreshToken, expiresAt } = this.#keeper.signedIn ?? {}
    return refreshToken === undefined ? expiresAt : undefined
  }

  /** False until the record is loaded. */
  get isSignedIn(): boolean {
    return this.#keeper.signedIn !== undefined
  }

  /** Reads the keychain; rejects with SECRET_STORE_FAILED. */
  async load(): Promise<void> {
    await this.#keeper.load()
  }

  /** Opens the sign-in for a session at `url`; every new token is reported for masking. */
  readonly open: OpenSessionAuth = (url, events): SessionAuth => {
    this.#url = url
    this.#events = events
    // The user may have changed headers since, which no accepted token would show.
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

  /** Starts a flow or joins the running one; `scopes` are requested from now on. Rejects as `signIn.begin` does. */
  async begin(typed: TypedClient | undefined, scopes?: string): Promise<SignInStep> {
    await this.load()
    if (scopes !== undefined) {
      // The open page requests fewer scopes.
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
      const step = await flow.firstStep
      if (step.kind !== 'ask') this.#close(flow)
      return step
    } catch (error) {
      this.#close(flow)
      throw error
    }
  }

  /** Stores a client from an imported configuration for any issuer. Rejects with INVALID_VALUES or SECRET_STORE_FAILED. */
  async prepare(client: TypedClient, scopes?: string): Promise<void> {
    await this.#keeper.prepare({ preset: { ...clientOf(client), ...(scopes && { scopes }) } })
  }

  /** The address of the open authorization page; throws INVALID_REQUEST if there is none. */
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

  /** Forgets the tokens; resolves to whether they were revoked. Rejects with SECRET_STORE_FAILED. */
  async signOut(): Promise<boolean> {
    this.cancel()
    const signedIn = await this.#keeper.forget()
    if (!signedIn) return false
    this.#log('info', 'Signed out')
    return this.#revoke(signedIn)
  }

  /** Forgets everything about a removed installation and revokes its tokens in the background. Rejects with SECRET_STORE_FAILED. */
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

/** Requests the granted scopes again, so that a new one doesn't replace them. */
function withGranted({ scope, ...challenge }: Challenge, granted: string | undefined): Challenge {
  const all = scope === undefined ? undefined : computeScopeUnion(granted, scope)
  return { ...challenge, ...(all !== undefined && { scope: all }) }
}

/** Throws INVALID_VALUES for a redirect that doesn't lead to this computer. */
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

  /** Returns the installation's sign-in, creating it if needed. */
  of(installationId: string): SignIn {
    const found = this.#byId.get(installationId) ?? this.#make(installationId)
    this.#byId.set(installationId, found)
    return found
  }

  /** Opens the sign-in for a session of the installation. */
  openFor(installationId: string): OpenSessionAuth {
    return this.of(installationId).open
  }

  /** Forgets a removed installation. Rejects with SECRET_STORE_FAILED. */
  async remove(installationId: string): Promise<void> {
    // Every stored sign-in was loaded when the app opened.
    await this.#byId.get(installationId)?.remove()
    this.#byId.delete(installationId)
  }

  /** Cancels running flows; tokens stay stored. */
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
