import { randomUUID } from 'node:crypto'
import { addAbortListener } from 'node:events'

import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'
import * as z from 'zod'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { type CallAsker, ElicitResult } from '../../mcp/elicitation/elicitation'
import { LOG_LEVELS, type LogLevel } from '../../mcp/notifications'
import type { Hold } from '../access/agent-limits'
import { type Caller, textOf } from '../calls/agent-request'
import { CODES, RequestError } from '../calls/request-error'
import {
  type AgentMessage,
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  tokenText,
} from './agent-message'
import { type EndpointContext, type ListKind, progressFor } from './endpoint-context'
import { type Change, changeKey } from './event-queue'
import type { HttpAnswer } from './http-answer'
import type { LogReader } from './log-relay'

/** Resources that one session, or one subscription, may watch. */
export const MAX_WATCHES = 1_000

const Level = z.enum(LOG_LEVELS)
const Elicitation = z.object({
  elicitation: z
    .looseObject({ form: z.unknown().optional(), url: z.unknown().optional() })
    .optional(),
})

/** A request under way, with the server that works on it. */
type OpenRequest = {
  /** JSON text. */
  readonly id: string
  readonly over: AbortController
  readonly server: string | undefined
  readonly answer: HttpAnswer
}

/** One session of an agent (MCP 2024-11-05 to 2025-11-25): from `initialize` until it is closed. */
export class AgentSession implements LogReader, Disposable {
  readonly sessionId = randomUUID()
  readonly #protocolVersion: string
  readonly #context: EndpointContext
  readonly #onClose: () => void
  readonly #elicitation: z.infer<typeof Elicitation>['elicitation']
  /** No map: V8 links the tables that one outgrows, and keeps all that every call entered until the next full collection. */
  readonly #open: OpenRequest[] = []
  /** Requests to the agent that wait for its response. */
  readonly #elicitations = new Map<string, PromiseWithResolvers<unknown>>()
  readonly #watches = new Map<string, Disposable>()
  readonly #reading: Disposable
  /** Changes while the agent did not listen: each is sent once when it does. */
  readonly #missed = new Map<string, Change>()
  #stream: HttpAnswer | undefined
  #agent: Agent
  #inUse = 0
  #usedAt: number
  #lastId = 0
  #level: LogLevel | undefined
  #isClosed = false

  /** `params` are those of `initialize`. */
  constructor(agent: Agent, params: JsonObject, context: EndpointContext, onClose: () => void) {
    this.#agent = agent
    this.#context = context
    this.#onClose = onClose
    // The version that the agent names, or the latest one with sessions (MCP, version negotiation).
    const known = SUPPORTED_PROTOCOL_VERSIONS.find((one) => one === params.protocolVersion)
    this.#protocolVersion = known ?? SUPPORTED_PROTOCOL_VERSIONS[0] ?? ''
    this.#elicitation = Elicitation.safeParse(params.capabilities).data?.elicitation
    this.#usedAt = this.#now
    this.#reading = context.logs.add(this)
  }

  get level(): LogLevel | undefined {
    return this.#level
  }

  /** When it was used last; now, while a request or a stream is open. By the time of the endpoint, in ms. */
  get usedAt(): number {
    return this.#inUse > 0 ? this.#now : this.#usedAt
  }

  greet(id: string, answer: HttpAnswer): void {
    const { serverInfo } = this.#context
    const info = { serverInfo, ...this.#context.infoFor(this.#agent) }
    answer.header('mcp-session-id', this.sessionId)
    answer.result(id, JSON.stringify({ protocolVersion: this.#protocolVersion, ...info }))
  }

  /** Serves the body of one POST; settles when that is answered. */
  async post(agent: Agent, message: AgentMessage, answer: HttpAnswer, hold: Hold): Promise<void> {
    this.#agent = agent
    if (message.kind === 'request') {
      await this.#serve(message, answer, hold)
      return
    }
    this.#usedAt = this.#now
    const messages = message.kind === 'batch' ? message.messages : [message]
    for (const one of messages)
      if (one.kind === 'notification') this.#cancel(one)
      else if (one.kind === 'response') this.#respond(one)
    answer.empty(202)
  }

  /** Opens the stream for messages that belong to no request (MCP, listening for messages from the server). */
  listen(agent: Agent, answer: HttpAnswer): void {
    this.#agent = agent
    if (this.#stream) {
      const message = 'This session already has an open stream.'
      answer.error('null', new RequestError(CODES.failed, message), 409)
      return
    }
    answer.header('mcp-session-id', this.sessionId)
    answer.stream()
    this.#stream = answer
    this.#inUse += 1
    answer.onClose(() => {
      this.#stream = undefined
      this.#leave()
      for (const change of answer.unsent) this.#change(change)
    })
    const missed = [...this.#missed.values()]
    this.#missed.clear()
    for (const change of missed) this.#change(change)
  }

  listChanged(kind: ListKind): void {
    this.#change({ method: `notifications/${kind}/list_changed` })
  }

  tell(installationId: string, params: JsonObject): void {
    const { servers } = this.#context.parts.listings.of(this.#agent.agentId)
    if (!servers.some((one) => one.installationId === installationId)) return
    const open = this.#open.find(
      ({ server, answer }) => server === installationId && answer.isStream,
    )
    const answer = open?.answer ?? this.#stream
    answer?.notify('notifications/message', params)
  }

  /** Ends all that is under way with its connections. */
  cut(): void {
    this.#stream?.cut()
    for (const { answer } of this.#open) answer.cut()
    this[Symbol.dispose]()
  }

  /** Ends all that is under way. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#reading[Symbol.dispose]()
    for (const watch of this.#watches.values()) watch[Symbol.dispose]()
    for (const { over } of this.#open) over.abort()
    for (const { reject } of this.#elicitations.values()) reject(new Error('The session ended.'))
    this.#stream?.end()
    this.#onClose()
  }

  async #serve(message: RequestMessage, answer: HttpAnswer, hold: Hold): Promise<void> {
    const { id } = message
    const over = new AbortController()
    const open = { id, over, answer, server: this.#context.serverOf(this.#agent, message) }
    const onProgress = progressFor(message, answer)
    if (onProgress || (this.#elicitation && open.server !== undefined)) answer.stream()
    this.#open.push(open)
    this.#inUse += 1
    const working = hold()
    try {
      const result = await this.#answer(message, {
        agent: this.#agent,
        protocolVersion: this.#protocolVersion,
        signal: over.signal,
        asker: this.#askerFor(answer),
        onProgress,
      })
      if (over.signal.aborted) answer.end()
      else answer.result(id, result)
    } catch (error) {
      if (over.signal.aborted) answer.end()
      else answer.error(id, this.#context.requestErrorOf(error))
    } finally {
      working[Symbol.dispose]()
      this.#open.splice(this.#open.indexOf(open), 1)
      this.#leave()
    }
  }

  /** The result as JSON text. */
  async #answer(message: RequestMessage, caller: Caller): Promise<string | Buffer> {
    const { params } = message
    switch (message.method) {
      case 'ping':
        return '{}'
      case 'initialize':
        throw new RequestError(CODES.invalidRequest, 'This session is initialized already.')
      case 'logging/setLevel':
        return this.#setLevel(params)
      case 'resources/subscribe':
        return this.#watch(textOf(params, 'uri'))
      case 'resources/unsubscribe':
        return this.#unwatch(textOf(params, 'uri'))
      default:
        return (await this.#context.handler.handle(message, caller)).text
    }
  }

  /** The agent itself, where its app can ask its user. */
  #askerFor(answer: HttpAnswer): CallAsker {
    const { name: agent } = this.#agent
    const can = this.#elicitation
    if (!can || !answer.accepted.events) return { agent, session: this }
    return {
      agent,
      session: this,
      elicit: async (params, signal) => {
        const isAble = params.mode === 'url' ? can.url : (can.form ?? !can.url)
        if (!isAble)
          throw new RequestError(CODES.failed, 'The agent does not support this kind of request.')
        return ElicitResult.parse(await this.#elicit(answer, params, signal))
      },
    }
  }

  /** The result that the agent responds with to `elicitation/create`. */
  async #elicit(answer: HttpAnswer, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    this.#lastId += 1
    const id = `elicitation-${this.#lastId}`
    const response = Promise.withResolvers<unknown>()
    const giveUp = (): void =>
      response.reject(new RequestError(CODES.failed, 'The agent disconnected.'))
    this.#elicitations.set(id, response)
    using _giving = addAbortListener(signal, giveUp)
    answer.onClose(giveUp)
    if (signal.aborted || !answer.request(id, 'elicitation/create', params)) giveUp()
    try {
      return await response.promise
    } finally {
      this.#elicitations.delete(id)
    }
  }

  #cancel({ method, params, text }: NotificationMessage): void {
    if (method !== 'notifications/cancelled') return
    const id = tokenText(params.requestId, text, ['params', 'requestId'])
    this.#open.findLast((one) => one.id === id)?.over.abort()
  }

  #respond({ id, result, error }: ResponseMessage): void {
    const waiting = typeof id === 'string' ? this.#elicitations.get(id) : undefined
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new RequestError(CODES.failed, 'The agent did not ask its user.', error))
  }

  #setLevel({ level }: JsonObject): string {
    const { data } = Level.safeParse(level)
    if (!data) throw new RequestError(CODES.invalidParams, 'level must be a valid log level.')
    this.#level = data
    this.#context.logs.levelChanged()
    return '{}'
  }

  async #watch(uri: string): Promise<string> {
    if (this.#watches.has(uri)) return '{}'
    if (this.#watches.size >= MAX_WATCHES)
      throw new RequestError(CODES.failed, `At most ${MAX_WATCHES} resources can be subscribed to.`)
    const updated = (): void => this.#change(updateOf(uri))
    const watch = await this.#context.watches.add(this.#agent.agentId, uri, {
      updated,
      lost: (installationId, reason) => {
        const data = `Updates of ${uri} have stopped: ${reason}`
        this.#context.logs.tell(installationId, { level: 'warning', data }, [this])
        updated()
      },
    })
    // Another request may have subscribed meanwhile, or the session ended.
    if (this.#isClosed || this.#watches.has(uri)) watch[Symbol.dispose]()
    else this.#watches.set(uri, watch)
    return '{}'
  }

  #unwatch(uri: string): string {
    this.#watches.get(uri)?.[Symbol.dispose]()
    this.#watches.delete(uri)
    this.#missed.delete(changeKey(updateOf(uri)))
    return '{}'
  }

  #change(change: Change): void {
    if (this.#isClosed) return
    if (this.#stream) this.#stream.notify(change.method, change.params)
    else this.#missed.set(changeKey(change), change)
  }

  get #now(): number {
    return this.#context.parts.time.monotonic()
  }

  #leave(): void {
    this.#inUse -= 1
    this.#usedAt = this.#now
  }
}

function updateOf(uri: string): Change {
  return { method: 'notifications/resources/updated', params: { uri } }
}
