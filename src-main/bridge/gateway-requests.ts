import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { BRIDGE_HEADER } from '../core/gateway/protocol/gateway-capabilities'
import { headerText } from '../core/mcp/connections/parameter-headers'
import { type GatewayClient, isStream, readAnswer, readStream } from './gateway-client'
import type { HostConnection, HostRequest, Id } from './host-connection'
import { disconnected, Outage } from './outage'
import { type Session, SessionKeeper } from './session-keeper'

const LISTS = ['tools', 'prompts', 'resources'] as const
/** Which parameter a stateless request names in a header (MCP 2026-07-28, standard headers). */
const NAMED_BY = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'
/** Between two tries to reach the gateway, in ms: the first pause, the longest, and the one after a rejected key. */
const PAUSE_MS = { first: 1_000, longest: 10_000, rejected: 60_000 } as const

/** What the parts of the bridge share. */
export type BridgeParts = {
  readonly gateway: GatewayClient
  readonly host: HostConnection
  /** Writes to the log of the host. */
  readonly log: (message: string) => void
  /** Of Patchbay. */
  readonly version: string
}

type Sent = { readonly session?: Session | undefined; readonly response: IncomingMessage }

/** What the host requests, in one session of the gateway (MCP 2024-11-05 to 2025-11-25) or each request on its own (2026-07-28). */
export class GatewayRequests {
  readonly #parts: BridgeParts
  readonly #keeper: SessionKeeper
  readonly #over = new AbortController()
  #isListening = false

  constructor(parts: BridgeParts) {
    this.#parts = parts
    this.#keeper = new SessionKeeper(parts.gateway, parts.host)
  }

  /** Brings a request to the gateway, and what comes of it to the host. Rejects with an Outage, or once its signal is aborted. */
  async answer(request: HostRequest, onSent: () => void): Promise<void> {
    const isInSession = request.version === undefined
    if (!isInSession && request.method === 'subscriptions/listen') {
      await this.#subscribe(request)
      return
    }
    if (isInSession && request.method === 'initialize') {
      await this.#initialize(request)
      return
    }
    const sent = await (isInSession ? this.#sendInSession(request, onSent) : this.#send(request))
    const isAnswered = await this.#relay(sent, request.id)
    // None follows a cancellation.
    if (!isAnswered && !request.isCancelled()) throw disconnected()
  }

  /** Brings a notification to the gateway, or a response to its request; one that no session waits for is dropped. */
  async notify(message: JsonObject, body: Buffer): Promise<void> {
    const session = await this.#keeper.current()
    // The next session would take the response to a request of the last for one to its own.
    const isWanted = message.method !== undefined || session?.pending.delete(message.id as Id)
    if (!session || !isWanted) return
    const response = await this.#parts.gateway.send({ body, headers: session.headers })
    const answer = await readAnswer(response, 0)
    if ((response.statusCode ?? 0) >= 400) this.#parts.log(`rejected: ${answer.toString()}`)
  }

  async close(): Promise<void> {
    this.#over.abort()
    await this.#keeper.close()
  }

  async #initialize(request: HostRequest): Promise<void> {
    let isBehind = true
    try {
      this.#parts.host.sendText(await this.#keeper.begin(request))
      isBehind = false
    } finally {
      if (!this.#isListening) {
        this.#isListening = true
        void this.#listen(isBehind)
      }
    }
  }

  /** Sends in the next session where the one that was is over. */
  async #sendInSession(request: HostRequest, onSent: () => void): Promise<Sent> {
    this.#keeper.note(request)
    const { text: body, signal } = request
    for (let isAgain = false; ; isAgain = true) {
      const session = await this.#keeper.current()
      const headers = session?.headers ?? {}
      const sent = { body, headers, signal, onSent, isCall: true }
      const response = await this.#parts.gateway.send(sent)
      if (response.statusCode !== 404 || !session || isAgain) return { session, response }
      response.resume()
      this.#keeper.lose(session)
    }
  }

  async #send({ version = '', method, params, text, signal }: HostRequest): Promise<Sent> {
    const name = params[NAMED_BY.get(method) ?? '']
    const headers = {
      'mcp-protocol-version': version,
      'mcp-method': headerText(method),
      ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
      [BRIDGE_HEADER]: '1',
    }
    const isCall = method !== 'subscriptions/listen'
    // What describes Patchbay alone does not wait for the app to start.
    const waits = isCall && method !== 'server/discover'
    const response = await this.#parts.gateway.send({ body: text, headers, signal, isCall, waits })
    return { response }
  }

  /** Sends on what came; whether the answer to `id` was among it. */
  async #relay({ session, response }: Sent, id?: Id): Promise<boolean> {
    const { host } = this.#parts
    if (!isStream(response)) {
      host.sendText(await readAnswer(response, id ?? 0))
      return true
    }
    const onMessage = (text: Buffer, message: JsonObject): void => {
      if (message.method !== undefined && message.id !== undefined)
        session?.pending.add(message.id as Id)
      host.sendText(text)
    }
    return readStream(response, host, onMessage, id)
  }

  /** Listens for what belongs to no request for as long as the bridge lives; so it learns when the session is over. */
  async #listen(isBehindAtFirst: boolean): Promise<void> {
    const { gateway, host, log } = this.#parts
    const { signal } = this.#over
    let isBehind = isBehindAtFirst
    const attempt = async (onReached: () => void): Promise<boolean> => {
      const session = await this.#keeper.current()
      if (!session) return false
      const response = await gateway.send({ method: 'GET', headers: session.headers, signal })
      if (response.statusCode === 404) this.#keeper.lose(session)
      if (!isStream(response)) {
        response.resume()
        return false
      }
      onReached()
      if (isBehind)
        for (const list of LISTS) host.send({ method: `notifications/${list}/list_changed` })
      await this.#relay({ session, response })
      return false
    }
    await this.#keepTrying(signal, attempt, (error) => {
      isBehind = true
      if (error && !(error instanceof Outage)) log(String(error))
    })
  }

  /** Listens for changes for the host until it wants no more, also while Patchbay is away. */
  async #subscribe(request: HostRequest): Promise<void> {
    const { host } = this.#parts
    const { id, params, signal } = request
    const wanted = isJsonObject(params.notifications) ? params.notifications : {}
    const notify = (method: string, own: JsonObject = {}): void =>
      host.send({ method, params: { ...own, _meta: { [SUBSCRIPTION_KEY]: id } } })
    let isAcknowledged = false
    let isBehind = false
    const isEmpty = Object.keys(wanted).length === 0
    const onMessage = (text: Buffer, { method }: JsonObject): void => {
      // The host is not notified when the gateway goes away: the bridge waits for it.
      if (method === undefined && !isEmpty) return
      if (method !== ACKNOWLEDGED || !isAcknowledged) host.sendText(text)
      if (method !== ACKNOWLEDGED) return
      isAcknowledged = true
      for (const list of LISTS)
        if (isBehind && wanted[`${list}ListChanged`] === true)
          notify(`notifications/${list}/list_changed`)
      isBehind = false
    }
    const attempt = async (onReached: () => void): Promise<boolean> => {
      const { response } = await this.#send(request)
      if (!isStream(response)) return this.#relay({ response }, id)
      onReached()
      return (await readStream(response, host, onMessage, id)) && isEmpty
    }
    await this.#keepTrying(signal, attempt, (error) => {
      const canWait = error instanceof Outage && (error.kind !== 'refused' || isAcknowledged)
      if (error && !canWait) throw error
      if (!isAcknowledged) notify(ACKNOWLEDGED, { notifications: wanted })
      isAcknowledged = true
      isBehind = true
    })
  }

  /** Tries until it succeeds, with growing pauses; `onFailure` gets the error, if there was one, and may throw it to give up. */
  async #keepTrying(
    signal: AbortSignal,
    attempt: (onReached: () => void) => Promise<boolean>,
    onFailure: (error: Error | undefined) => void,
  ): Promise<void> {
    let next: number = PAUSE_MS.first
    const isOver = (): boolean => signal.aborted
    while (!isOver()) {
      let failure: Error | undefined
      try {
        const isDone = await attempt(() => {
          next = PAUSE_MS.first
        })
        if (isDone) return
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
      }
      if (isOver()) return
      onFailure(failure)
      this.#parts.gateway.forgetKey()
      const isRejected = failure instanceof Outage && failure.kind === 'refused'
      const pause = isRejected ? PAUSE_MS.rejected : next
      if (!isRejected) next = Math.min(PAUSE_MS.longest, next * 1.6)
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined) // not wanted anymore
    }
  }
}
