import { constants } from 'node:buffer'
import { EventEmitter, once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import type { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { attempt } from '../../src-shared/domain/attempt'
import { errorMessage } from '../../src-shared/domain/error-message'
import { isJsonObject, type JsonObject } from '../../src-shared/domain/json-object'
import { TimeLimitError, withTimeLimit } from '../core/lifecycle/time-limit'
import { MessageFraming } from '../core/lines/message-framing'
import { exactJson, parseWithBigInts, stringifyWithBigInts } from '../core/mcp/json/exact-json'

/** Parallel calls, fewer than the gateway's limit; more wait for their turn. */
const MAX_CALLS = 48
/** Time for a started app to answer, in ms. */
const START_MS = 20_000
const POLL_MS = 100
/** Unsent bytes before the host is no longer read. */
const MAX_UNSENT = 64 * 1024 * 1024
const DATA = Buffer.from('data: ')
/** Time for the keychain, in ms: a locked one asks its user, or never answers. */
const KEYCHAIN_MS = 4_000
/** How long a rejected or missing key isn't looked up again, in ms: a keychain may ask its user each time. */
const RETRY_KEY_MS = 10_000

/**
 * The gateway can't be reached: it isn't running, disconnected, or rejects this agent's key. The message tells the agent's user why and
 * what to do.
 */
export class Outage extends Error {
  constructor(
    readonly kind: 'away' | 'cut' | 'refused',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

function notRunning(): Outage {
  return new Outage('away', 'Patchbay is not running. Start it, then try again.')
}

export function disconnected(cause?: unknown): Outage {
  const message =
    'Patchbay quit or closed the connection before it responded. The request may have been completed.'
  return new Outage('cut', message, { cause })
}

/** An agent's key, looked up once, and again after a rejection. */
export class AgentKeyRing {
  #key: Promise<string> | undefined
  #refusal: { readonly error: Outage; readonly at: number } | undefined

  constructor(
    private readonly agentId: string,
    /** Given at the start of the bridge; the keychain isn't asked then. */
    private readonly givenKey: string | undefined,
    /** The key in the keychain, or null; may never settle. */
    private readonly readKey: () => Promise<string | null>,
  ) {}

  /** Rejects with an `Outage` of kind `refused`. */
  async read(): Promise<string> {
    const { error, at = 0 } = this.#refusal ?? {}
    if (error && performance.now() - at < RETRY_KEY_MS) throw error
    this.#refusal = undefined
    this.#key ??= this.#find()
    return this.#key
  }

  /** The key may have changed: looks it up next time. */
  forget(): void {
    this.#key = undefined
  }

  /** The gateway rejects the key. */
  rejected(): Outage {
    const todo =
      this.givenKey === undefined
        ? 'Check the agent in Patchbay > Apps.'
        : 'Get a new key in Patchbay > Apps, set it as PATCHBAY_AGENT_KEY, and restart the agent.'
    return this.#refuse(
      `Patchbay rejected the key of agent "${this.agentId}": it was replaced, or the agent was removed. ${todo}`,
    )
  }

  #refuse(message: string, cause?: unknown): Outage {
    this.#key = undefined
    this.#refusal = { error: new Outage('refused', message, { cause }), at: performance.now() }
    return this.#refusal.error
  }

  async #find(): Promise<string> {
    if (this.givenKey !== undefined) return this.givenKey
    const key = await withTimeLimit(KEYCHAIN_MS, this.readKey).catch((cause: unknown) => {
      const isLate = cause instanceof TimeLimitError
      const reason = isLate ? 'the keychain did not respond' : errorMessage(cause)
      const message = `Can't read the key of agent "${this.agentId}" from the keychain: ${reason}. Unlock the keychain, or set PATCHBAY_AGENT_KEY.`
      throw this.#refuse(message, cause)
    })
    if (key !== null) return key
    throw this.#refuse(
      `The keychain has no key for agent "${this.agentId}". Check the agent ID in Patchbay > Apps, or set PATCHBAY_AGENT_KEY.`,
    )
  }
}

export type GatewayRequest = {
  readonly method?: 'POST' | 'GET' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
  /** May take long: waits for its turn, and delays only other calls. */
  readonly isCall?: boolean
  /** Waits while the app starts. */
  readonly waits?: boolean
  readonly signal?: AbortSignal | undefined
}

/** HTTP client of the gateway on 127.0.0.1. */
export class GatewayClient implements Disposable {
  readonly #calls = new Agent({ keepAlive: true, maxSockets: MAX_CALLS })
  readonly #others = new Agent({ keepAlive: true })
  readonly #sending = new EventEmitter()
  #startedAt: number | undefined
  #unsent = 0

  constructor(
    /** The gateway's port; undefined if there is none. */
    private readonly port: () => number | undefined,
    private readonly keys: AgentKeyRing,
    /** Starts the app; called once if it isn't running. */
    private readonly start: (() => void) | undefined,
  ) {}

  /** Resolves to the response's head. Rejects with an Outage, also for a wrong key, or with the signal's reason. */
  async send(request: GatewayRequest): Promise<IncomingMessage> {
    const { method = 'POST', body, headers, isCall = false, waits = false, signal } = request
    // An app that isn't running is reported before a missing key.
    const port = await this.#port(waits, signal)
    const key = await this.keys.read()
    signal?.throwIfAborted()
    const sent = sendRequest({
      ...{ host: '127.0.0.1', port, path: '/mcp', method },
      agent: isCall ? this.#calls : this.#others,
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
        ...headers,
      },
      ...(signal && { signal }),
    })
    let unsent = body?.length ?? 0
    this.#unsent += unsent
    const onSent = (): void => {
      this.#unsent -= unsent
      unsent = 0
      this.#sending.emit('sent')
    }
    sent.once('finish', onSent).once('close', onSent).end(body)
    const response = await this.#responseTo(sent, signal)
    if (response.statusCode !== 401) return response
    response.resume()
    throw this.keys.rejected()
  }

  /** The connections were cut, so the key may have changed. */
  forgetKey(): void {
    this.keys.forget()
  }

  /** Settles when more may be sent. */
  async room(): Promise<void> {
    while (this.#unsent > MAX_UNSENT) await once(this.#sending, 'sent')
  }

  [Symbol.dispose](): void {
    this.#calls.destroy()
    this.#others.destroy()
  }

  async #responseTo(
    sent: ClientRequest,
    signal: AbortSignal | undefined,
  ): Promise<IncomingMessage> {
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      // An early end is noticed by the reader.
      sent.on('error', () => undefined)
      return response
    } catch (error) {
      signal?.throwIfAborted()
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') throw notRunning()
      this.forgetKey()
      throw disconnected(error)
    }
  }

  /** The port; starts the app once if there is none. */
  async #port(waits: boolean, signal: AbortSignal | undefined): Promise<number> {
    let found = this.port()
    if (found === undefined && this.#startedAt === undefined && this.start) {
      this.#startedAt = performance.now()
      this.start()
    }
    const until = waits ? (this.#startedAt ?? -Infinity) + START_MS : 0
    while (found === undefined && performance.now() < until) {
      await delay(POLL_MS, undefined, signal && { signal })
      found = this.port()
    }
    if (found === undefined) throw notRunning()
    return found
  }
}

export function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') ?? false
}

/**
 * Reads a stream's messages until it ends, no faster than the host reads; resolves to whether they contained the answer to `id`. Each event
 * of the gateway has its message in one line. Rejects with an Outage if the stream breaks.
 */
export async function readStream(
  response: IncomingMessage,
  host: Pick<HostConnection, 'room'>,
  onMessage: (text: Buffer, message: JsonObject) => void,
  id?: Id,
): Promise<boolean> {
  let hasResponse = false
  const onLine = (line: Buffer): void => {
    if (!line.subarray(0, DATA.length).equals(DATA)) return
    const text = line.subarray(DATA.length)
    const message = parsed(text)
    hasResponse ||= message.method === undefined && message.id === id
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
  return hasResponse
}

/** Reads the whole response to request `id`; an error without an id becomes its own. Rejects with an Outage if it breaks off. */
export async function readAnswer(response: IncomingMessage, id: Id): Promise<Buffer> {
  const chunks = await response.toArray().catch((error: unknown) => {
    throw disconnected(error)
  })
  const body = Buffer.concat(chunks as Buffer[])
  const { statusCode = 0 } = response
  if (statusCode === 200) return body
  const answer = parsed(body)
  const message = `Patchbay responded with HTTP status ${statusCode}.`
  const error = { code: FAILED, message, ...(isJsonObject(answer.error) && answer.error) }
  return Buffer.from(stringifyWithBigInts({ jsonrpc: '2.0', ...answer, id, error }))
}

function parsed(body: Buffer): JsonObject {
  const message = attempt(() => parseWithBigInts(body.toString()))
  return isJsonObject(message) ? message : {}
}

/** A JSON-RPC request id; an integer beyond JavaScript's range is a bigint. */
export type Id = string | number | bigint

/** An error without a specific code (JSON-RPC 2.0, 5.1). */
const FAILED = -32_000

const NEWLINE = '\n'

/** The bridge's stdout: one JSON-RPC message per line, and nothing else. */
export class HostConnection {
  constructor(private readonly out: Writable) {
    // Each stream of the gateway may wait for it.
    out.setMaxListeners(0)
  }

  sendText(message: Buffer): void {
    const isLine = !message.includes(NEWLINE)
    this.out.cork()
    this.out.write(isLine ? message : JSON.stringify(exactJson(message.toString())))
    this.out.write(NEWLINE)
    this.out.uncork()
  }

  send(message: JsonObject): void {
    this.sendText(Buffer.from(stringifyWithBigInts({ jsonrpc: '2.0', ...message })))
  }

  fail(id: Id | null, message: string, code = FAILED): void {
    this.send({ id, error: { code, message } })
  }

  /** Settles when more may be sent. */
  async room(): Promise<void> {
    if (this.out.writableNeedDrain) await once(this.out, 'drain')
  }
}
