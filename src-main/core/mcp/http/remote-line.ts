import { type FetchLike, ProtocolError, SseError } from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'
import {
  isSessionExpired,
  isSessionLost,
  remoteFailure,
  SessionExpiredError,
} from '../../failure/remote-failure'
import type { Traffic } from '../../process/spawn/child-process'
import type { EraDoubt, SessionLine } from '../connection/session-line'
import { withBearerFirst } from '../connections/challenges'
import { remoteFetch } from '../connections/remote-fetch'
import type { RemoteTransport } from '../connections/remote-transport'
import type { SessionAuth } from '../connections/session-auth'
import { EraQuestion } from './era-question'
import { JudgedTransport, type JudgedTransportOptions } from './judged-transport'
import { SseTransport } from './sse-transport'
import { StreamableTransport } from './streamable-transport'

export type RemoteSpec = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly transport: RemoteTransport
}

export type RemoteLineOptions = JudgedTransportOptions & {
  /** Goes by the system's proxy and certificates. */
  readonly fetch: typeof globalThis.fetch
  /** Gives the token of a signed-in person, where there is one. */
  readonly authProvider?: SessionAuth | undefined
  /** The longest that one answer may take, in ms. */
  readonly maxTotalMs: number
  /** The server no longer knows the session: a new one is needed (MCP, session management). */
  readonly onExpired: () => void
}

/** How long a server has to take note of the end of a session, in ms. */
const FAREWELL_MS = 1_000
/** Statuses by which a token is refused, or is not enough (RFC 6750, 3.1). */
const REFUSED = [401, 403]
/** Bytes of a refusal that are read for what it says of the session. */
const LONGEST_REFUSAL = 16 * 1024

/** A remote server over HTTP; ending it ends nothing but the connection. */
export class RemoteLine implements SessionLine {
  readonly pid = undefined
  readonly tree = undefined
  readonly exit = undefined
  readonly isAlone = false
  readonly transport: JudgedTransport
  readonly ended: Promise<void>
  readonly #url: URL
  readonly #options: RemoteLineOptions
  readonly #end = Promise.withResolvers<undefined>()
  #traffic: Traffic = { bytesIn: 0, bytesOut: 0 }
  #heardAt = performance.now()
  #stopping: Promise<void> | undefined
  readonly #question = new EraQuestion()
  #hasExpired = false
  /** Whether a request named a session. */
  #hasSession = false
  #lastFailure: unknown

  constructor({ url, headers, transport }: RemoteSpec, options: RemoteLineOptions) {
    this.#url = url
    this.#options = options
    const bounded = remoteFetch({
      ...options,
      url,
      headers,
      onSent: (bytes) => this.#count(0, bytes),
      onReceived: (bytes, { ok }) => {
        if (ok) this.#heardAt = performance.now()
        this.#count(bytes, 0)
      },
      incoming: () => this.transport.incoming,
    })
    const fetch = this.#question.over(this.#signedIn(this.#watching(bounded)))
    const { authProvider } = options
    const Transport = transport === 'sse' ? SseTransport : StreamableTransport
    this.transport = new JudgedTransport(new Transport(url, { fetch, authProvider }), options)
    this.ended = this.#end.promise
  }

  get heardAt(): number {
    return this.#heardAt
  }

  get traffic(): Traffic {
    return this.#traffic
  }

  get eraDoubt(): EraDoubt | undefined {
    return this.#question.doubt
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop()
    return this.#stopping
  }

  escalate(): void {
    void this.transport.close()
  }

  endReason(when: string): AppError {
    if (this.#hasExpired) return new SessionExpiredError(this.#url)
    return new AppError(
      'REMOTE_UNREACHABLE',
      `The connection to ${this.#url.host} ended ${when}.`,
      {
        hint: 'The network or the server ended it.',
      },
    )
  }

  explain(error: unknown): AppError | undefined {
    if (error instanceof ProtocolError && this.#hasSession && isSessionExpired(error))
      this.#expire()
    if (this.#hasExpired && isSessionExpired(error)) return new SessionExpiredError(this.#url)
    // The stream of the older transport tells its failures as texts only.
    const isText = error instanceof SseError && error.code === undefined
    return remoteFailure(isText ? (this.#lastFailure ?? error) : error, this.#url)
  }

  async #stop(): Promise<void> {
    await this.#sayFarewell()
    await this.transport.close()
    this.#end.resolve(undefined)
  }

  /** A session that the server keeps is given back, as far as the server hears it (MCP, session management). */
  async #sayFarewell(): Promise<void> {
    const { transport } = this
    if (this.#hasExpired) return
    const limit = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => limit.resolve(undefined), FAREWELL_MS)
    // It goes anyway: a server that knows nothing of ends (405) or is gone has nothing to be told.
    await Promise.race([transport.terminateSession().catch(() => undefined), limit.promise])
    clearTimeout(timer)
  }

  /** A session is gone when a request that named it is not found. */
  #watching(fetch: FetchLike): FetchLike {
    return async (input, init) => {
      const response = await fetch(input, init).catch((error: unknown) => {
        this.#lastFailure = error
        throw error
      })
      const headers = new Headers(init?.headers)
      // What is refused is no sign of life: a proxy before a dead server refuses too.
      if (response.ok) this.#heardAt = performance.now()
      if (init?.method !== 'POST' || !headers.has('mcp-session-id')) return response
      this.#hasSession = true
      if (response.ok) return response
      const { first, whole } = await peek(response)
      if (isSessionLost(response.status, first)) this.#expire()
      return whole
    }
  }

  /** Reports which tokens are refused and accepted; outermost, as the SDK is to get the very response that was reported. */
  #signedIn(fetch: FetchLike): FetchLike {
    const { authProvider } = this.#options
    return async (input, init) => {
      const answer = await fetch(input, init)
      const response = REFUSED.includes(answer.status) ? withBearerFirst(answer) : answer
      const authorization = new Headers(init?.headers).get('authorization')
      if (REFUSED.includes(response.status)) authProvider?.noteRefused(response, authorization)
      else if (response.ok) authProvider?.noteAccepted(authorization)
      return response
    }
  }

  /** Not for the stream of its own (GET) or the end (DELETE), which some servers know nothing of. */
  #expire(): void {
    if (this.#hasExpired || this.isStopping) return
    this.#hasExpired = true
    this.#options.onExpired()
  }

  #count(bytesIn: number, bytesOut: number): void {
    const before = this.#traffic
    this.#traffic = { bytesIn: before.bytesIn + bytesIn, bytesOut: before.bytesOut + bytesOut }
  }
}

/** The first characters of a refusal, and the refusal as it came. */
async function peek(
  response: Response,
): Promise<{ readonly first: string; readonly whole: Response }> {
  if (!response.body) return { first: '', whole: response }
  const [head, rest] = (response.body as ReadableStream<Uint8Array>).tee()
  const parts: Uint8Array[] = []
  let bytes = 0
  // The rest of a long refusal is left to the other half of the tee.
  for await (const part of head.values({ preventCancel: true })) {
    parts.push(part)
    bytes += part.byteLength
    if (bytes >= LONGEST_REFUSAL) break
  }
  // The other half reports a failure of the source.
  head.cancel().catch(() => undefined)
  const { status, statusText, headers, url } = response
  const whole = new Response(rest, { status, statusText, headers })
  return {
    first: Buffer.concat(parts).toString('utf8', 0, LONGEST_REFUSAL),
    whole: Object.defineProperty(whole, 'url', { value: url }),
  }
}
