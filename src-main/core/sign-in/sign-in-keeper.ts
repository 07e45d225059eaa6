import {
  type FetchLike,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
} from '@modelcontextprotocol/client'
import pLimit from 'p-limit'

import type { SignInNeededError } from '../failure/remote-failure'
import { background } from '../lifecycle/background'
import type { SecretBackend, Timekeeper } from '../ports'
import { issuerMetadata } from './discover-issuer'
import { expiredSignIn, refusalOf, rejectedSignIn, signInFailure } from './sign-in-failure'
import { signInFetch, UnexpectedAnswerError } from './sign-in-fetch'
import {
  type Client,
  type IssuerMemory,
  NO_SIGN_IN,
  type SignedIn,
  type SignInRecord,
  SignInStore,
} from './sign-in-record'

/** Errors that an unknown parameter may cause (RFC 8707, 2 and RFC 6749, 5.2). */
const OF_PARAMETERS: readonly string[] = [
  OAuthErrorCode.InvalidTarget,
  OAuthErrorCode.InvalidRequest,
  OAuthErrorCode.InvalidScope,
]

/**
 * Exchanges a refresh token for new tokens, at the issuer of the old ones only (OAuth 2.1, 4.3). Rejects with the SDK's error or an
 * `UnexpectedAnswerError`. Retries once without `resource` if a parameter was rejected; the grant remembers the resource (RFC 8707, 2.2).
 * If the server rotates refresh tokens, the old one is invalid once this resolves.
 */
async function refreshTokens(
  before: SignedIn & { readonly refreshToken: string },
  fetchFn: FetchLike,
  now: () => number,
): Promise<SignedIn> {
  const { authorizationServerUrl, client, refreshToken, resource } = before
  const metadata = await issuerMetadata(before, fetchFn)
  const refresh = (optional: { readonly resource?: string }): Promise<OAuthTokens> =>
    refreshAuthorization(authorizationServerUrl, {
      ...(metadata && { metadata }),
      clientInformation: client,
      refreshToken,
      ...optional,
      fetchFn,
    })
  let granted = resource
  const tokens = await refresh(resource === undefined ? {} : { resource }).catch(
    (error: unknown) => {
      if (resource === undefined || !mayBeOfParameters(error)) throw error
      if (error instanceof OAuthError) granted = undefined
      return refresh({})
    },
  )
  const issuedAt = now()
  const { expires_in } = tokens
  return {
    ...before,
    resource: granted,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? refreshToken,
    scope: tokens.scope ?? before.scope,
    issuedAt,
    expiresAt: expires_in === undefined ? undefined : issuedAt + expires_in * 1_000,
  }
}

function mayBeOfParameters(error: unknown): boolean {
  if (error instanceof OAuthError) return OF_PARAMETERS.includes(error.code)
  return error instanceof UnexpectedAnswerError
}

/** Tokens are refreshed this long before they expire, or at half of their lifetime if that is shorter; in ms. */
const AHEAD_MS = 60_000
/** The longest timeout of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** Servers may repeat an old token in a log or an error. */
const MAX_MASKED = 12

/** Facts that a sign-in learned about an issuer: `registered` is the client to use again, or null to forget it. */
export type LearnedOfIssuer = IssuerMemory & { readonly registered?: Client | null }

/** Events of a sign-in. */
export type SignInEvent =
  /** The sign-in's view may have changed. */
  | { readonly kind: 'changed' }
  /** The user signed in; the server can start. */
  | { readonly kind: 'signedIn' }
  /** The authorization server has forgotten the sign-in; running sessions may fail. */
  | { readonly kind: 'lost' }
  /** The server rejects a token renewed just now; running sessions may fail. */
  | { readonly kind: 'refusedAgain' }
  | { readonly kind: 'log'; readonly level: 'info' | 'warn'; readonly text: string }

export type SignInOptions = {
  readonly installationId: string
  readonly secrets: SecretBackend
  readonly fetch: typeof globalThis.fetch
  readonly time: Timekeeper
  /** Address of Patchbay's client ID metadata document, read when a sign-in begins; empty if there is none. */
  readonly clientMetadataUrl: () => string
  readonly onEvent: (event: SignInEvent) => void
}

/** Keeps the tokens of one installation in the keychain, and in memory while the app runs. */
export class SignInKeeper implements Disposable {
  readonly #options: SignInOptions
  readonly #store: SignInStore
  /** Writes run one at a time, so that the newest record is written last. */
  readonly #queue = pLimit(1)
  #loading: Promise<void> | undefined
  #record: SignInRecord = NO_SIGN_IN
  /** The running refresh and its sign-in; a newer sign-in doesn't wait for it. */
  #refreshing: { readonly of: SignedIn; readonly over: Promise<void> } | undefined
  #secrets: readonly string[] = []
  #lost: SignInNeededError | undefined
  /** Timer for a sign-in that can't be renewed. */
  #end: Disposable | undefined

  constructor(
    options: SignInOptions,
    /** Receives the tokens to mask whenever there is a new one. */
    private readonly onSecrets: (secrets: readonly string[]) => void,
  ) {
    this.#options = options
    this.#store = new SignInStore(options.secrets, options.installationId)
  }

  [Symbol.dispose](): void {
    this.#end?.[Symbol.dispose]()
  }

  /** Resolves once the record is read; rejects with SECRET_STORE_FAILED, and the next call tries again. */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }

  /** Undefined until the record is loaded. */
  get signedIn(): SignedIn | undefined {
    return this.#record.signedIn
  }

  /** Why the previous sign-in ended, until the next one. */
  get lost(): SignInNeededError | undefined {
    return this.#lost
  }

  /** The stored record; never changed in place. */
  get record(): SignInRecord {
    return this.#record
  }

  /** Tokens to mask wherever a server may repeat them. */
  get secrets(): readonly string[] {
    return this.#secrets
  }

  /** Returns a token for the server at `url`, refreshed if it is about to expire; undefined if nobody is signed in there. */
  async token(url: URL): Promise<string | undefined> {
    await this.load()
    const signedIn = this.#of(url)
    if (!signedIn) return undefined
    const { time } = this.#options
    if (isDue(signedIn, time.now())) {
      try {
        await this.#refresh()
      } catch (error) {
        // A token that is still valid is used until it expires.
        if (signedIn.expiresAt !== undefined && signedIn.expiresAt <= time.now()) throw error
      }
    }
    return this.#of(url)?.accessToken
  }

  /**
   * Replaces a token that `url` rejected, unless a newer one exists already; false if the user has to sign in. Rejects with a
   * `SignInNeededError` if the authorization server rejects without ending the sign-in, and with another `AppError` if it can't be reached.
   */
  async replace(url: URL, rejected: string | undefined): Promise<boolean> {
    await this.load()
    const signedIn = this.#of(url)
    if (!signedIn) return false
    if (rejected !== undefined && rejected !== signedIn.accessToken) return true
    await this.#refresh()
    return this.#of(url) !== undefined && this.#of(url)?.accessToken !== signedIn.accessToken
  }

  /** Stores a new sign-in; rejects with SECRET_STORE_FAILED, and the sign-in lasts in memory. */
  async save(signedIn: SignedIn, typed: { readonly isTyped: boolean }): Promise<void> {
    const { typedClients } = this.#record
    const clients = typed.isTyped
      ? { ...typedClients, [signedIn.issuer]: signedIn.client }
      : typedClients
    this.#lost = undefined
    await this.#set({ ...this.#record, typedClients: clients, signedIn })
    const isLasting = signedIn.refreshToken !== undefined
    if (!isLasting) await this.learn(signedIn.issuer, { asksOffline: true })
  }

  /** Remembers facts about an issuer, in memory if the keychain fails. */
  async learn(issuer: string, { registered, ...memory }: LearnedOfIssuer): Promise<void> {
    const { memory: known = {}, registered: clients = {} } = this.#record
    const { [issuer]: _, ...others } = clients
    const remaining = registered === undefined ? clients : others
    await this.#tryStore({
      ...this.#record,
      memory: { ...known, [issuer]: { ...known[issuer], ...memory } },
      registered: { ...remaining, ...(registered && { [issuer]: registered }) },
    })
  }

  /** Stores a client from a configuration, or the user's scopes. Rejects with SECRET_STORE_FAILED. */
  async prepare(more: Pick<SignInRecord, 'preset' | 'extraScopes'>): Promise<void> {
    await this.load()
    await this.#set({ ...this.#record, ...more })
  }

  /**
   * Forgets the tokens and everything a sign-in learned, but nothing that the user typed. Resolves to the tokens, so that they can be
   * revoked. Rejects with SECRET_STORE_FAILED.
   */
  async forget(): Promise<SignedIn | undefined> {
    await this.load()
    // The tokens of a running refresh have to be revoked too.
    await this.#refreshing?.over.catch(() => undefined)
    this.#lost = undefined
    const { signedIn, registered: _clients, memory: _memory, ...others } = this.#record
    await this.#set(others)
    return signedIn
  }

  /** Forgets all clients after the issuer rejected one; the next sign-in asks for a client or registers again. */
  async forgetClients(): Promise<void> {
    const { preset: _, ...others } = this.#record
    await this.#tryStore({ ...others, typedClients: {}, registered: {} })
  }

  /** Forgets everything when the installation is removed. */
  async remove(): Promise<void> {
    this.#record = NO_SIGN_IN
    await this.#queue(() => this.#store.delete())
  }

  async #load(): Promise<void> {
    const record = await this.#store.read()
    this.#record = record
    this.#mask()
    this.#followEnd()
    if (record.signedIn) this.#options.onEvent({ kind: 'changed' })
  }

  #of(url: URL): SignedIn | undefined {
    const { signedIn } = this.#record
    return signedIn?.serverUrl === url.href ? signedIn : undefined
  }

  /** Runs one refresh for all callers. Rejects with an `AppError` if its outcome is unknown. */
  async #refresh(): Promise<void> {
    const { signedIn } = this.#record
    if (!signedIn) return
    if (this.#refreshing?.of === signedIn) return this.#refreshing.over
    const running = { of: signedIn, over: this.#refreshOnce(signedIn) }
    this.#refreshing = running
    try {
      await running.over
    } finally {
      if (this.#refreshing === running) this.#refreshing = undefined
    }
  }

  async #refreshOnce(before: SignedIn): Promise<void> {
    const { refreshToken, serverUrl } = before
    const server = new URL(serverUrl)
    if (refreshToken === undefined) {
      await this.#lose(expiredSignIn(server))
      return
    }
    const { fetch, time } = this.#options
    try {
      const fetchFn = signInFetch(server, fetch)
      const now = (): number => time.now()
      const after = await refreshTokens({ ...before, refreshToken }, fetchFn, now)
      if (this.#isNow(before)) await this.#tryStore({ ...this.#record, signedIn: after })
    } catch (error) {
      // Callers use the newer sign-in's token.
      if (!this.#isNow(before)) return
      const refusal = refusalOf(error)
      if (refusal === 'later') throw signInFailure(error, server)
      if (refusal === 'request') throw rejectedSignIn(server, error)
      await this.#lose(rejectedSignIn(server, error))
    }
  }

  /** Whether this is still the current sign-in: a result for an older one must not replace it. */
  #isNow(before: SignedIn): boolean {
    return this.#record.signedIn === before
  }

  async #lose(lost: SignInNeededError): Promise<void> {
    this.#lost = lost
    const { signedIn: _, ...others } = this.#record
    await this.#tryStore(others)
    if (this.#record.signedIn) return
    this.#options.onEvent({ kind: 'log', level: 'warn', text: lost.message })
    this.#options.onEvent({ kind: 'lost' })
  }

  /** Stores the record; a failure is logged, because the waiting request can continue. */
  async #tryStore(record: SignInRecord): Promise<void> {
    try {
      await this.#set(record)
    } catch {
      const text =
        'The keychain couldn’t save the tokens, so the sign-in lasts until Patchbay quits.'
      this.#options.onEvent({ kind: 'log', level: 'warn', text })
    }
  }

  async #set(record: SignInRecord): Promise<void> {
    this.#record = record
    this.#mask()
    this.#followEnd()
    this.#options.onEvent({ kind: 'changed' })
    await this.#queue(() => this.#store.write(record))
  }

  /** Without a refresh token, the sign-in ends with its token, even if no request shows that. */
  #followEnd(): void {
    this.#end?.[Symbol.dispose]()
    this.#end = undefined
    const { signedIn } = this.#record
    if (signedIn?.expiresAt === undefined || signedIn.refreshToken !== undefined) return
    const remainingMs = signedIn.expiresAt - this.#options.time.now()
    if (remainingMs > MAX_TIMER_MS) return
    this.#end = this.#options.time.after(Math.max(remainingMs, 0), () => {
      if (this.#isNow(signedIn))
        background(
          this.#lose(expiredSignIn(new URL(signedIn.serverUrl))),
          'forgetting an expired sign-in',
        )
    })
  }

  #mask(): void {
    const { signedIn, typedClients, preset, registered = {} } = this.#record
    const clients = [
      ...[signedIn?.client, preset],
      ...Object.values(typedClients),
      ...Object.values(registered),
    ]
    const now = [
      signedIn?.accessToken,
      signedIn?.refreshToken,
      ...clients.map((client) => client?.client_secret),
    ].filter((one) => one !== undefined)
    const known = new Set(this.#secrets)
    if (now.every((one) => known.has(one))) return
    this.#secrets = [...new Set([...now, ...this.#secrets])].slice(0, MAX_MASKED)
    this.onSecrets(this.#secrets)
  }
}

function isDue({ issuedAt, expiresAt, refreshToken }: SignedIn, now: number): boolean {
  if (expiresAt === undefined || refreshToken === undefined) return false
  return expiresAt - now <= Math.min(AHEAD_MS, (expiresAt - issuedAt) / 2)
}
