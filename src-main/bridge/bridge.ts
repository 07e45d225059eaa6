import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { errorMessage } from '../../src-shared/domain/error-message'
import { isJsonObject, type JsonObject } from '../../src-shared/domain/json-object'
import {
  BRIDGE_HEADER,
  GATEWAY_CAPABILITIES,
  NAMED_BY,
} from '../core/gateway/calls/gateway-capabilities'
import { background } from '../core/lifecycle/background'
import { headerText } from '../core/mcp/connections/parameter-headers'
import { parseWithBigInts, stringifyWithBigInts } from '../core/mcp/json/exact-json'
import { STATELESS_VERSION } from '../core/mcp/peer/connection'
import type { HostConnection, Id } from './gateway-client'
import {
  disconnected,
  type GatewayClient,
  isStream,
  Outage,
  readAnswer,
  readStream,
} from './gateway-client'
import { type Session, SessionKeeper } from './session-keeper'

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** A cancellation may overtake its request on another connection, so it is sent again after this time, in ms. */
const REPEAT_MS = 250
/** Pauses between attempts to reach the gateway, in ms: the first, the longest, and the one after a rejected key. */
const PAUSE_MS = { first: 1_000, longest: 10_000, rejected: 60_000 } as const
const LISTS = ['tools', 'prompts', 'resources'] as const
const LISTEN = 'subscriptions/listen'
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

/** A request of the host. */
type HostRequest = {
  readonly id: Id
  readonly method: string
  readonly params: JsonObject
  /** Protocol version of a stateless request; undefined in a session. */
  readonly version: string | undefined
  readonly text: Buffer
  /** Aborted once the response is no longer wanted. */
  readonly signal: AbortSignal
}
type Running = {
  readonly request: HostRequest
  readonly over: AbortController
  readonly answering: Promise<void>
}
type Sent = { readonly session?: Session | undefined; readonly response: IncomingMessage }

/**
 * Connects a host that speaks MCP over stdio with the gateway: forwards each message, in one gateway session (MCP 2024-11-05 to 2025-11-25)
 * or each request on its own (2026-07-28), and explains failures.
 */
export class Bridge {
  readonly #keeper: SessionKeeper
  readonly #running = new Map<Id, Running>()
  readonly #closed = new AbortController()
  #isListening = false
  #lastLogged = ''

  constructor(
    private readonly gateway: GatewayClient,
    private readonly host: HostConnection,
    /** Writes to the host's log. */
    private readonly log: (message: string) => void,
    private readonly version: string,
  ) {
    this.#keeper = new SessionKeeper(gateway, host)
  }

  receive(line: Buffer): void {
    let message: unknown
    try {
      message = parseWithBigInts(line.toString())
    } catch (error) {
      this.host.fail(null, `Parse error: ${errorMessage(error)}`, PARSE_ERROR)
      return
    }
    // Each request of a batch (MCP 2025-03-26) is answered separately.
    if (Array.isArray(message))
      for (const one of message) this.#receive(one, Buffer.from(stringifyWithBigInts(one)))
    else this.#receive(message, line)
  }

  /** Settles when no request waits for a response, except subscriptions. */
  async idle(): Promise<void> {
    const waiting = [...this.#running.values()].filter(({ request }) => request.method !== LISTEN)
    await Promise.all(waiting.map(({ answering }) => answering))
  }

  /** Cancels requests in flight and ends the session. */
  async close(): Promise<void> {
    this.#closed.abort()
    for (const { over } of this.#running.values()) over.abort()
    await this.#keeper.close()
    this.gateway[Symbol.dispose]()
  }

  #receive(message: unknown, text: Buffer): void {
    if (!isJsonObject(message)) {
      this.host.fail(null, 'This is not a JSON-RPC message.', INVALID_REQUEST)
      return
    }
    const { id, method } = message
    const params = isJsonObject(message.params) ? message.params : {}
    const version = statelessVersion(params)
    if (typeof method === 'string' && isId(id)) {
      const over = new AbortController()
      const request = { id, method, params, version, text, signal: over.signal }
      const running = { request, over, answering: this.#serve(request) }
      this.#running.set(id, running)
      background(
        running.answering.then(() => {
          if (this.#running.get(id) === running) this.#running.delete(id)
        }),
        'answering at the bridge',
      )
    } else if (method === 'notifications/cancelled' && isId(params.requestId))
      background(this.#cancel(params.requestId, text), 'canceling a call at the gateway')
    else if (version === undefined)
      background(this.#notify(message, text), 'passing on a notification')
  }

  /** Forwards a request, and its response to the host; never rejects. */
  async #serve(request: HostRequest): Promise<void> {
    const { id, method, version } = request
    try {
      if (version === undefined && method === 'initialize') await this.#initialize(request)
      else if (version !== undefined && method === LISTEN) await this.#subscribe(request)
      else {
        const sent = await (version === undefined ? this.#ask(request) : this.#send(request))
        if (!(await this.#relay(sent, id))) throw disconnected()
      }
    } catch (error) {
      if (!request.signal.aborted) this.#explain(request, error)
    }
  }

  #explain(request: HostRequest, error: unknown): void {
    const message = errorMessage(error)
    if (message !== this.#lastLogged) this.log(message)
    this.#lastLogged = message
    const isAway = error instanceof Outage && error.kind === 'away'
    const result = isAway ? awayResult(request, this.version) : undefined
    if (result) this.host.send({ id: request.id, result })
    else this.host.fail(request.id, message)
  }

  async #cancel(id: Id, text: Buffer): Promise<void> {
    const { over, request } = this.#running.get(id) ?? {}
    over?.abort()
    // Closing its connection cancels a stateless request.
    if (!request || request.version !== undefined) return
    const message = { method: 'notifications/cancelled' }
    await this.#notify(message, text)
    await delay(REPEAT_MS, undefined, { ref: false })
    await this.#notify(message, text)
  }

  /** Forwards a notification, or a response to the gateway's request; drops one that no session waits for. */
  async #notify(message: JsonObject, body: Buffer): Promise<void> {
    try {
      const session = await this.#keeper.current()
      // The next session would take a response for its own request.
      const isWanted = message.method !== undefined || session?.pending.delete(message.id as Id)
      if (!session || !isWanted) return
      const response = await this.gateway.send({ body, headers: session.headers })
      response.resume()
    } catch (error) {
      // A notification needs no response; the next request fails with the reason.
      if (!(error instanceof Outage)) this.log(String(error))
    }
  }

  async #initialize({ id, params, text }: HostRequest): Promise<void> {
    let isBehind = true
    try {
      this.host.sendText(await this.#keeper.begin(id, params, text))
      isBehind = false
    } finally {
      if (!this.#isListening) {
        this.#isListening = true
        background(this.#listen(isBehind), 'listening to the gateway')
      }
    }
  }

  /** Sends in the session, or in the next one if that has ended. */
  async #ask({ method, params, text: body, signal }: HostRequest): Promise<Sent> {
    this.#keeper.record(method, params)
    for (let isRetry = false; ; isRetry = true) {
      const session = await this.#keeper.current()
      const headers = session?.headers ?? {}
      const response = await this.gateway.send({ body, headers, signal, isCall: true })
      if (response.statusCode !== 404 || !session || isRetry) return { session, response }
      response.resume()
      this.#keeper.drop(session)
    }
  }

  async #send({ version = '', method, params, text, signal }: HostRequest): Promise<Sent> {
    const name = params[NAMED_BY[method] ?? '']
    const headers = {
      'mcp-protocol-version': version,
      'mcp-method': headerText(method),
      ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
      [BRIDGE_HEADER]: '1',
    }
    const isCall = method !== LISTEN
    // A description of Patchbay alone doesn't wait for the app to start.
    const waits = isCall && method !== 'server/discover'
    const response = await this.gateway.send({ body: text, headers, signal, isCall, waits })
    return { response }
  }

  /** Forwards a response; resolves to whether it contained the answer to `id`. */
  async #relay({ session, response }: Sent, id?: Id): Promise<boolean> {
    if (!isStream(response)) {
      this.host.sendText(await readAnswer(response, id ?? 0))
      return true
    }
    const onMessage = (text: Buffer, message: JsonObject): void => {
      if (message.method !== undefined && message.id !== undefined)
        session?.pending.add(message.id as Id)
      this.host.sendText(text)
    }
    return readStream(response, this.host, onMessage, id)
  }

  /** Listens for messages outside requests while the bridge lives, and learns when the session ends. */
  async #listen(mayHaveMissed: boolean): Promise<void> {
    const { signal } = this.#closed
    let isBehind = mayHaveMissed
    const attempt = async (onReached: () => void): Promise<boolean> => {
      const session = await this.#keeper.current()
      if (!session) return false
      const response = await this.gateway.send({ method: 'GET', headers: session.headers, signal })
      if (response.statusCode === 404) this.#keeper.drop(session)
      if (!isStream(response)) {
        response.resume()
        return false
      }
      onReached()
      if (isBehind)
        for (const list of LISTS) this.host.send({ method: `notifications/${list}/list_changed` })
      await this.#relay({ session, response })
      return false
    }
    await this.#retry(signal, attempt, (error) => {
      isBehind = true
      if (error && !(error instanceof Outage)) this.log(String(error))
    })
  }

  /** Subscribes to changes for the host until canceled, even while Patchbay is away. */
  async #subscribe(request: HostRequest): Promise<void> {
    const { id, params, signal } = request
    const wanted = isJsonObject(params.notifications) ? params.notifications : {}
    const notify = (method: string, own: JsonObject = {}): void =>
      this.host.send({ method, params: { ...own, _meta: { [SUBSCRIPTION_KEY]: id } } })
    let isAcknowledged = false
    let isBehind = false
    const isEmpty = !Object.values(wanted).some(
      (one) => one === true || (Array.isArray(one) && one.length > 0),
    )
    const onMessage = (text: Buffer, { method }: JsonObject): void => {
      // The host doesn't notice that the gateway is away: the bridge waits for it.
      if (method === undefined && !isEmpty) return
      if (method !== ACKNOWLEDGED || !isAcknowledged) this.host.sendText(text)
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
      return (await readStream(response, this.host, onMessage, id)) && isEmpty
    }
    await this.#retry(signal, attempt, (error) => {
      const canWait = error instanceof Outage && (error.kind !== 'refused' || isAcknowledged)
      if (error && !canWait) throw error
      if (!isAcknowledged) notify(ACKNOWLEDGED, { notifications: wanted })
      isAcknowledged = true
      isBehind = true
    })
  }

  /** Retries with growing pauses until it succeeds; `onFailure` gets the error, if any, and may throw it to give up. */
  async #retry(
    signal: AbortSignal,
    attempt: (onReached: () => void) => Promise<boolean>,
    onFailure: (error: Error | undefined) => void,
  ): Promise<void> {
    let next: number = PAUSE_MS.first
    const isAborted = (): boolean => signal.aborted
    while (!isAborted()) {
      let failure: Error | undefined
      try {
        const isDone = await attempt(() => {
          next = PAUSE_MS.first
        })
        if (isDone) return
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error))
      }
      if (isAborted()) return
      onFailure(failure)
      this.gateway.forgetKey()
      const isRejected = failure instanceof Outage && failure.kind === 'refused'
      const pause = isRejected ? PAUSE_MS.rejected : next
      if (!isRejected) next = Math.min(PAUSE_MS.longest, next * 1.6)
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined) // no longer wanted
    }
  }
}

const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
/** The protocol version in each stateless message (MCP 2026-07-28). */
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
const EMPTY_LISTS = new Map<string, JsonObject>([
  ['tools/list', { tools: [] }],
  ['prompts/list', { prompts: [] }],
  ['resources/list', { resources: [] }],
  ['resources/templates/list', { resourceTemplates: [] }],
])

/** A result for the host while Patchbay is away, so that it keeps the bridge; undefined if only Patchbay can answer. */
function awayResult(
  { method, params, version: stateless }: HostRequest,
  version: string,
): JsonObject | undefined {
  const serverInfo = { name: 'patchbay', title: 'Patchbay', version }
  const capabilities = GATEWAY_CAPABILITIES
  const list = EMPTY_LISTS.get(method)
  if (stateless === undefined) {
    if (method === 'ping' || method === 'logging/setLevel') return {}
    if (method !== 'initialize') return list
    const known = SESSION_VERSIONS.find((one) => one === params.protocolVersion)
    return { protocolVersion: known ?? SESSION_VERSIONS[0], capabilities, serverInfo }
  }
  const discovery = { supportedVersions: [STATELESS_VERSION], capabilities }
  const result = method === 'server/discover' ? discovery : list
  const cache = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  return result && { ...result, ...cache, _meta: { [SERVER_INFO_KEY]: serverInfo } }
}

function statelessVersion({ _meta: meta }: JsonObject): string | undefined {
  const version = isJsonObject(meta) ? meta[VERSION_KEY] : undefined
  return typeof version === 'string' ? version : undefined
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint'
}
