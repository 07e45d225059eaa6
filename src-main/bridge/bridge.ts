import { setTimeout as delay } from 'node:timers/promises'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { awayAnswer } from './away-answers'
import { type Id, NOT_JSON } from './host-line'
import { NewerRequests } from './newer-requests'
import { type BridgeParts, OlderRequests } from './older-requests'
import { Outage } from './outage'
import { type HostRequest, newerVersion } from './request'

const INVALID = -32_600
/** A cancellation may overtake what it cancels, on another connection: it is said again after this, in ms. */
const SAY_AGAIN_MS = 250
const LOOK_EVERY_MS = 20

type Running = {
  readonly over: AbortController
  readonly isNewer: boolean
  /** It has no answer that could be waited for. */
  readonly listens: boolean
  /** Settles when the gateway has all of it. */
  readonly sent: Promise<unknown>
  isCancelled: boolean
}

/** Between a host that speaks MCP over stdio and the gateway: brings each message over, and explains what cannot be. */
export class Bridge {
  readonly #parts: BridgeParts & { readonly version: string }
  readonly #older: OlderRequests
  readonly #newer: NewerRequests
  readonly #running = new Map<Id, Running>()
  #lastWords = ''

  /** `version`: that of Patchbay, which is told while it is away. */
  constructor(parts: BridgeParts & { readonly version: string }) {
    this.#parts = parts
    this.#older = new OlderRequests(parts)
    this.#newer = new NewerRequests(parts)
  }

  /** Takes a line of the host. */
  receive(line: Buffer): void {
    const message = parsed(line)
    if (message instanceof SyntaxError)
      this.#parts.host.fail(null, `Parse error: ${message.message}`, NOT_JSON)
    // Each of a batch (MCP 2025-03-26) is answered by itself.
    else if (Array.isArray(message))
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
    await this.#older.close()
    this.#parts.line[Symbol.dispose]()
  }

  #take(message: unknown, text: Buffer): void {
    if (!isJsonObject(message)) {
      this.#parts.host.fail(null, 'This is not a JSON-RPC message.', INVALID)
      return
    }
    const { id, method } = message
    const params = isJsonObject(message.params) ? message.params : {}
    if (typeof method === 'string' && isId(id)) void this.#serve({ id, method, params, text })
    else if (method === 'notifications/cancelled' && isId(params.requestId))
      void this.#cancel(params.requestId, text)
    else if (newerVersion(params) === undefined) void this.#tell(message, text)
  }

  async #serve(asked: Pick<HostRequest, 'id' | 'method' | 'params' | 'text'>): Promise<void> {
    const { id, params } = asked
    const version = newerVersion(params)
    const sent = Promise.withResolvers<unknown>()
    const running: Running = {
      over: new AbortController(),
      isNewer: version !== undefined,
      listens: asked.method === 'subscriptions/listen',
      sent: sent.promise,
      isCancelled: false,
    }
    const { signal } = running.over
    const request = { ...asked, version, signal, isCancelled: () => running.isCancelled }
    this.#running.set(id, running)
    try {
      if (running.isNewer) await this.#newer.answer(request)
      else await this.#older.answer(request, () => sent.resolve(undefined))
    } catch (error) {
      if (!signal.aborted && !running.isCancelled) this.#explain(request, error)
    } finally {
      sent.resolve(undefined)
      if (this.#running.get(id) === running) this.#running.delete(id)
    }
  }

  #explain(request: HostRequest, error: unknown): void {
    const { host, log, version } = this.#parts
    const { id } = request
    const words = error instanceof Error ? error.message : String(error)
    if (words !== this.#lastWords) log(words)
    this.#lastWords = words
    const isAway = error instanceof Outage && error.kind === 'away'
    const result = isAway ? awayAnswer(request, version) : undefined
    if (result) host.tell({ id, result })
    else host.fail(id, words)
  }

  async #cancel(id: Id, text: Buffer): Promise<void> {
    const running = this.#running.get(id)
    if (!running) return
    running.isCancelled = true
    // In the newer era that is what a request that is given up means.
    if (running.isNewer) {
      running.over.abort()
      return
    }
    await running.sent
    const message = { method: 'notifications/cancelled' }
    await this.#tell(message, text)
    await delay(SAY_AGAIN_MS, undefined, { ref: false })
    if (this.#running.get(id) === running) await this.#tell(message, text)
  }

  async #tell(message: JsonObject, text: Buffer): Promise<void> {
    try {
      await this.#older.tell(message, text)
    } catch (error) {
      // What nobody waits for needs no answer; the next request is told why.
      if (!(error instanceof Outage)) this.#parts.log(String(error))
    }
  }
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch (error) {
    return error instanceof SyntaxError ? error : new SyntaxError(String(error))
  }
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number'
}
