import { constants } from 'node:buffer'
import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { isJsonObject, type JsonObject } from '../../src-shared/domain/server-json/tolerant-reader'
import { MessageFraming } from '../core/lines/message-framing'
import type { AgentKeyRing } from './agent-key-ring'
import { FAILED, type HostConnection, type Id } from './host-connection'
import { disconnected, notRunning } from './outage'

/** Calls that are under way at the same time, fewer than the gateway allows; more wait for their turn. */
const MAX_CALLS = 48
/** How long an app that was started may take until it can be asked, in ms. */
const START_MS = 20_000
const LOOK_EVERY_MS = 100
/** What may wait to be sent, in bytes, before no more is read from the host. */
const MAX_UNSENT = 64 * 1024 * 1024
const DATA = Buffer.from('data: ')

export type GatewayClientOptions = {
  /** The port of the gateway; undefined where there is none. */
  readonly port: () => number | undefined
  readonly keys: AgentKeyRing
  /** Starts the app; called once, when it is not running. */
  readonly start: (() => void) | undefined
}

export type GatewayRequest = {
  readonly method?: 'POST' | 'GET' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** It may take long: it waits for its turn, and delays nothing but others of its kind. */
  readonly isCall?: boolean
  /** It waits for the app while that starts. */
  readonly waits?: boolean
  readonly signal?: AbortSignal | undefined
  /** The gateway has all of it, as far as can be known here. */
  readonly onSent?: () => void
}

/** The gateway over plain HTTP on 127.0.0.1. */
export class GatewayClient implements Disposable {
  readonly #options: GatewayClientOptions
  readonly #calls = new Agent({ keepAlive: true, maxSockets: MAX_CALLS })
  readonly #others = new Agent({ keepAlive: true })
  #startedAt: number | undefined
  #unsent = 0
  #onSent = Promise.withResolvers<undefined>()

  constructor(options: GatewayClientOptions) {
    this.#options = options
  }

  /** The head of the answer. Rejects with an Outage, also for a wrong key, or with the signal's reason. */
  async send(sent: GatewayRequest): Promise<IncomingMessage> {
    const key = this.#options.keys.read()
    // That the app is not running is reported first: then the key is not missed.
    key.catch(() => undefined)
    const port = this.#port() ?? (sent.waits ? await this.#started(sent.signal) : undefined)
    if (port === undefined) throw notRunning()
    const response = await this.#request(port, await key, sent)
    if (response.statusCode !== 401) return response
    response.resume()
    throw this.#options.keys.refused()
  }

  /** The connections were cut: the key may be another now. */
  forgetKey(): void {
    this.#options.keys.forget()
  }

  /** Settles when more may be sent; undefined where it may immediately. */
  room(): Promise<unknown> | undefined {
    return this.#unsent > MAX_UNSENT ? this.#onSent.promise : undefined
  }

  [Symbol.dispose](): void {
    this.#calls.destroy()
    this.#others.destroy()
  }

  /** Starts the app where it is not running. */
  #port(): number | undefined {
    const port = this.#options.port()
    if (port === undefined && this.#startedAt === undefined && this.#options.start) {
      this.#startedAt = performance.now()
      this.#options.start()
    }
    return port
  }

  /** The port once the app is there that was started. */
  async #started(signal: AbortSignal | undefined): Promise<number | undefined> {
    const startedAt = this.#startedAt ?? -Infinity
    while (this.#options.port() === undefined && performance.now() - startedAt < START_MS)
      await delay(LOOK_EVERY_MS, undefined, signal && { signal })
    return this.#options.port()
  }

  async #request(port: number, key: string, sent: GatewayRequest): Promise<IncomingMessage> {
    const { signal, body, onSent, isCall = false, method = 'POST' } = sent
    signal?.throwIfAborted()
    const asking = request({
      ...{ host: '127.0.0.1', port, path: '/mcp', method },
      agent: isCall ? this.#calls : this.#others,
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
        ...sent.headers,
      },
      ...(signal && { signal }),
    })
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
      this.forgetKey()
      throw disconnected(error)
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

export function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false
}

/**
 * Reads the messages of a stream until it ends, no faster than the host reads; whether the answer to `id` was among them.
 * Each event of the gateway has its message in one line. Rejects with an Outage where the stream breaks.
 */
export async function readStream(
  response: IncomingMessage,
  host: Pick<HostConnection, 'room'>,
  onMessage: (text: Buffer, message: JsonObject) => void,
  id?: Id,
): Promise<boolean> {
  let isAnswered = false
  const onLine = (line: Buffer): void => {
    if (!line.subarray(0, DATA.length).equals(DATA)) return
    const text = line.subarray(DATA.length)
    const message = parsed(text)
    isAnswered ||= message.method === undefined && message.id === id
    onMessage(text, message)
  }
  const framing = new MessageFraming(constants.MAX_STRING_LENGTH, onLine, () => undefined)
  try {
    for await (const chunk of response) {
      framing.push(chunk as Buffer)
      await host.room()
    }
  } catch (error) {
    throw disconnected(error)
  }
  return isAnswered
}

/** The whole answer to the request `id`; an error that names no request becomes its own. Rejects with an Outage where its end never comes. */
export async function readAnswer(response: IncomingMessage, id: Id): Promise<Buffer> {
  const chunks = await response.toArray().catch((error: unknown) => {
    throw disconnected(error)
  })
  const body = Buffer.concat(chunks as Buffer[])
  if (response.statusCode === 200) return body
  const answer = parsed(body)
  const error = isJsonObject(answer.error) ? answer.error : {}
  const {
    code = FAILED,
    message = `Patchbay responded with HTTP status ${response.statusCode ?? 0}.`,
  } = error
  const own = { jsonrpc: '2.0', ...answer, id, error: { ...error, code, message } }
  return Buffer.from(JSON.stringify(own))
}

function parsed(body: Buffer): JsonObject {
  try {
    const message: unknown = JSON.parse(body.toString())
    return isJsonObject(message) ? message : {}
  } catch {
    return {} // no message
  }
}
