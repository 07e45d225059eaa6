import { setTimeout as delay } from 'node:timers/promises'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { GATEWAY_CAPABILITIES } from '../core/gateway/protocol/gateway-capabilities'
import { type BridgeParts, GatewayRequests } from './gateway-requests'
import { type HostRequest, type Id, statelessVersion } from './host-connection'
import { Outage } from './outage'

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** A cancellation may overtake what it cancels, on another connection: it is sent again after this, in ms. */
const REPEAT_MS = 250
const LOOK_EVERY_MS = 20

type Running = {
  readonly over: AbortController
  readonly isStateless: boolean
  /** It has no answer that could be waited for. */
  readonly listens: boolean
  /** Settles when the gateway has all of it. */
  readonly sent: Promise<unknown>
  isCancelled: boolean
}

/** Between a host that speaks MCP over stdio and the gateway: brings each message over, and explains what cannot be. */
export class Bridge {
  readonly #parts: BridgeParts
  readonly #requests: GatewayRequests
  readonly #running = new Map<Id, Running>()
  #lastLogged = ''

  constructor(parts: BridgeParts) {
    this.#parts = parts
    this.#requests = new GatewayRequests(parts)
  }

  /** Takes a line of the host. */
  receive(line: Buffer): void {
    let message: unknown
    try {
      message = JSON.parse(line.toString())
    } catch (error) {
      this.#parts.host.fail(null, `Parse error: ${messageOf(error)}`, PARSE_ERROR)
      return
    }
    // Each of a batch (MCP 2025-03-26) is answered by itself.
    if (Array.isArray(message))
      for (const one of message) this.#take(one, Buffer.from(JSON.stringify(one)))
    else this.#take(message, line)
  }

  /** Settles when no request waits for its answer, except those that only listen. */
  async idle(): Promise<void> {
    const waits = (): boolean => [...this.#running.values()].some(({ listens }) => !listens)
    while (waits()) await delay(LOOK_EVERY_MS)
  }

  /** Gives up what is under way and ends the session. */
  async close(): Promise<void> {
    for (const { over } of this.#running.values()) over.abort()
    await this.#requests.close()
    this.#parts.gateway[Symbol.dispose]()
  }

  #take(message: unknown, text: Buffer): void {
    if (!isJsonObject(message)) {
      this.#parts.host.fail(null, 'This is not a JSON-RPC message.', INVALID_REQUEST)
      return
    }
    const { id, method } = message
    const params = isJsonObject(message.params) ? message.params : {}
    if (typeof method === 'string' && isId(id)) void this.#serve({ id, method, params, text })
    else if (method === 'notifications/cancelled' && isId(params.requestId))
      void this.#cancel(params.requestId, text)
    else if (statelessVersion(params) === undefined) void this.#notify(message, text)
  }

  async #serve(received: Pick<HostRequest, 'id' | 'method' | 'params' | 'text'>): Promise<void> {
    const { id, params } = received
    const version = statelessVersion(params)
    const sent = Promise.withResolvers<undefined>()
    const onSent = (): void => sent.resolve(undefined)
    const running: Running = {
      over: new AbortController(),
      isStateless: version !== undefined,
      listens: received.method === 'subscriptions/listen',
      sent: sent.promise,
      isCancelled: false,
    }
    const { signal } = running.over
    const request = { ...received, version, signal, isCancelled: () => running.isCancelled }
    this.#running.set(id, running)
    try {
      await this.#requests.answer(request, onSent)
    } catch (error) {
      if (!signal.aborted && !running.isCancelled) this.#explain(request, error)
    } finally {
      onSent()
      if (this.#running.get(id) === running) this.#running.delete(id)
    }
  }

  #explain(request: HostRequest, error: unknown): void {
    const { host, log, version } = this.#parts
    const { id } = request
    const message = messageOf(error)
    if (message !== this.#lastLogged) log(message)
    this.#lastLogged = message
    const isAway = error instanceof Outage && error.kind === 'away'
    const result = isAway ? awayResult(request, version) : undefined
    if (result) host.send({ id, result })
    else host.fail(id, message)
  }

  async #cancel(id: Id, text: Buffer): Promise<void> {
    const running = this.#running.get(id)
    if (!running) return
    running.isCancelled = true
    // The end of its connection cancels a stateless request.
    if (running.isStateless) {
      running.over.abort()
      return
    }
    await running.sent
    const message = { method: 'notifications/cancelled' }
    await this.#notify(message, text)
    await delay(REPEAT_MS, undefined, { ref: false })
    if (this.#running.get(id) === running) await this.#notify(message, text)
  }

  async #notify(message: JsonObject, text: Buffer): Promise<void> {
    try {
      await this.#requests.notify(message, text)
    } catch (error) {
      // What nobody waits for needs no answer; the next request is told why.
      if (!(error instanceof Outage)) this.#parts.log(String(error))
    }
  }
}

const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
const EMPTY_LISTS = new Map<string, JsonObject>([
  ['tools/list', { tools: [] }],
  ['prompts/list', { prompts: [] }],
  ['resources/list', { resources: [] }],
  ['resources/templates/list', { resourceTemplates: [] }],
])

/** What the host gets while Patchbay is away, so that it keeps the bridge; undefined for what only Patchbay can answer. */
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
  const discovery = { supportedVersions: ['2026-07-28'], capabilities }
  const result = method === 'server/discover' ? discovery : list
  return (
    result && {
      ...result,
      ...{ resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
      _meta: { [SERVER_INFO_KEY]: serverInfo },
    }
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number'
}
