import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import type { AgentKeyRing } from './agent-key-ring'
import { brokenOff, notRunning } from './outage'

/** Calls that are under way at the same time, fewer than the gateway allows; more wait for their turn. */
const MOST_CALLS = 48
/** How long an app that was started may take until it can be asked, in ms. */
const START_MS = 20_000
const LOOK_EVERY_MS = 100
/** What may wait to be sent, in bytes, before the host is read no more. */
const MOST_UNSENT = 64 * 1024 * 1024

export type LineOptions = {
  /** The port of the gateway; undefined where there is none. */
  readonly port: () => number | undefined
  readonly keys: AgentKeyRing
  /** Starts the app; called once, when it is not running. */
  readonly start: (() => void) | undefined
}

/** One HTTP request to the gateway. */
export type Asked = {
  readonly method?: 'POST' | 'GET' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** It may take long: it waits for its turn, and delays nothing but others of its kind. */
  readonly isCall?: boolean
  readonly signal?: AbortSignal | undefined
  /** The gateway has it all, as far as can be known here. */
  readonly onSent?: () => void
}

/** The way to the gateway, over plain HTTP to 127.0.0.1. */
export class GatewayLine implements Disposable {
  readonly #options: LineOptions
  readonly #calls = new Agent({ keepAlive: true, maxSockets: MOST_CALLS })
  readonly #others = new Agent({ keepAlive: true })
  #startedAt: number | undefined
  #unsent = 0
  #onSent = Promise.withResolvers<undefined>()

  constructor(options: LineOptions) {
    this.#options = options
  }

  /** The head of the answer, which is not that the key is wrong. Rejects with an Outage, or the signal's reason. */
  async send(asked: Asked): Promise<IncomingMessage> {
    const key = this.#options.keys.read()
    // Whether the app runs is told first: then the key is not missed.
    key.catch(() => undefined)
    const port = this.#port()
    const response = await this.#request(port, await key, asked)
    if (response.statusCode !== 401) return response
    response.resume()
    throw this.#options.keys.refused()
  }

  /** Waits for the app where that was started; whether it is worth asking it again. */
  async started(): Promise<boolean> {
    if (!this.#isStarting()) return false
    while (this.#isStarting() && this.#options.port() === undefined) await delay(LOOK_EVERY_MS)
    return this.#options.port() !== undefined
  }

  /** The connections were cut: the key may be another now. */
  wasCut(): void {
    this.#options.keys.forget()
  }

  /** Settles when more may be sent; undefined where it may at once. */
  room(): Promise<unknown> | undefined {
    return this.#unsent > MOST_UNSENT ? this.#onSent.promise : undefined
  }

  [Symbol.dispose](): void {
    this.#calls.destroy()
    this.#others.destroy()
  }

  #port(): number {
    const port = this.#options.port()
    if (port !== undefined) return port
    if (this.#startedAt === undefined && this.#options.start) {
      this.#startedAt = performance.now()
      this.#options.start()
    }
    throw notRunning()
  }

  #isStarting(): boolean {
    return this.#startedAt !== undefined && performance.now() - this.#startedAt < START_MS
  }

  async #request(port: number, key: string, asked: Asked): Promise<IncomingMessage> {
    const { signal, body, onSent } = asked
    signal?.throwIfAborted()
    const { isCall = false } = asked
    const agent = isCall ? this.#calls : this.#others
    const to = { host: '127.0.0.1', port, path: '/mcp', method: asked.method ?? 'POST', agent }
    const asking = request({ ...to, headers: headersOf(asked, key), ...(signal && { signal }) })
    if (onSent) asking.once('finish', onSent)
    this.#count(asking, body?.length ?? 0)
    asking.end(body)
    try {
      const [response] = (await once(asking, 'response')) as [IncomingMessage]
      // An end that comes too early is seen by who reads it.
      asking.on('error', () => undefined)
      return response
    } catch (error) {
      signal?.throwIfAborted()
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw notRunning()
      this.wasCut()
      throw brokenOff(error)
    }
  }

  #count(asking: ClientRequest, bytes: number): void {
    let left = bytes
    this.#unsent += bytes
    const sent = (): void => {
      this.#unsent -= left
      left = 0
      this.#onSent.resolve(undefined)
      this.#onSent = Promise.withResolvers()
    }
    asking.once('finish', sent).once('close', sent)
  }
}

function headersOf({ method, headers, body }: Asked, key: string): Record<string, string> {
  return {
    accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
    ...headers,
  }
}
