import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { background } from '../../lifecycle/background'
import type { RequestOrigin } from '../../mcp/elicitation/elicitation'
import type { Root } from '../../mcp/elicitation/roots'
import { LOG_LEVELS, type LogLevel } from '../../mcp/notifications'
import type { InstanceOwner } from '../../servers/server-instances'
import { type Caller, textOf } from '../calls/agent-request'
import { BRIDGE_HEADER } from '../calls/gateway-capabilities'
import { CANCELED_BY_USER, CODES, RequestError } from '../calls/request-error'
import { type AgentMessage, type RequestMessage, tokenText } from './agent-message'
import { ClientRequests } from './client-requests'
import {
  type AgentExchange,
  DISCONNECTED,
  type EndpointContext,
  type Hold,
  progressFor,
} from './endpoint-context'
import { type Change, changeKey, type HttpAnswer } from './http-answer'
import { type ListKind, type LogReader, MAX_WATCHES, tooManyWatches } from './server-events'
import type { SessionSubscriptions, SessionTerms } from './session-ids'

/** Idle time of a session without a request or an open stream, in ms. */
export const SESSION_IDLE_MS = 60 * 60_000
/** Maximum sessions per agent; beyond that, the longest idle one is suspended. */
const MAX_SESSIONS = 64
/** Abort reasons for the server and the log. */
const CANCELED = 'The agent canceled it.'
const CLOSED = 'The agent’s session ended.'
const LISTS: readonly ListKind[] = ['tools', 'prompts', 'resources']
const SWEEP_MS = SESSION_IDLE_MS / 12

/** The sessions of one agent (MCP 2024-11-05 to 2025-11-25, Streamable HTTP). */
export class Sessions implements Disposable {
  readonly #sessions = new Map<string, AgentSession>()
  #sweeping: Disposable | undefined

  constructor(private readonly context: EndpointContext) {}

  async serve({ agent, request, message, hold }: AgentExchange, answer: HttpAnswer): Promise<void> {
    const { method, headers } = request
    const { 'mcp-session-id': sessionId, 'mcp-protocol-version': version } = headers
    const refuse = (status: number, code: number, text: string): void => {
      const id = message?.kind === 'request' ? message.id : 'null'
      answer.error(id, new RequestError(code, text), status)
    }
    // Agents start over with the header of a session that is gone (F7).
    if (message?.kind === 'request' && message.method === 'initialize') {
      const terms = this.context.sessionIds.create(agent, message.params)
      this.#open(agent.agentId, terms).greet(message.id, answer)
      return
    }
    const isBridge = headers[BRIDGE_HEADER] !== undefined
    const session = this.#find(agent, String(sessionId), isBridge)
    if (sessionId === undefined)
      refuse(400, CODES.failed, 'Send initialize first, then the header Mcp-Session-Id.')
    else if (!session)
      refuse(404, CODES.timedOut, 'Session not found or expired. Send initialize again.')
    else if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version).trim()))
      refuse(400, CODES.failed, `Protocol version ${String(version)} is not supported.`)
    else if (method === 'DELETE') {
      session[Symbol.dispose]()
      if (!isBridge) this.context.sessionIds.end(session.sessionId)
      answer.empty(200)
    } else if (method === 'GET') session.listen(answer)
    else if (message) await session.post(agent, message, answer, hold)
  }

  listChanged(kind: ListKind): void {
    for (const session of this.#sessions.values()) session.change(listChangeOf(kind))
  }

  [Symbol.dispose](): void {
    this.#sweeping?.[Symbol.dispose]()
    for (const session of [...this.#sessions.values()]) session[Symbol.dispose]()
  }

  /** Finds a session of the agent, or resumes one after a restart or suspension. The bridge itself begins a new one instead. */
  #find(agent: Agent, sessionId: string, isBridge: boolean): AgentSession | undefined {
    const existing = this.#sessions.get(sessionId)
    if (existing || isBridge) return existing
    const terms = this.context.sessionIds.find(agent, sessionId)
    const session = terms && this.#open(agent.agentId, terms)
    session?.resume(terms?.wants)
    return session
  }

  #open(agentId: string, terms: SessionTerms): AgentSession {
    if (this.#sessions.size >= MAX_SESSIONS)
      [...this.#sessions.values()].toSorted((a, b) => a.usedAt - b.usedAt)[0]?.[Symbol.dispose]()
    const session: AgentSession = new AgentSession(agentId, terms, this.context, () =>
      this.#sessions.delete(session.sessionId),
    )
    this.#sessions.set(session.sessionId, session)
    this.#sweepLater()
    return session
  }

  #sweepLater(): void {
    const { time } = this.context
    this.#sweeping ??= time.after(SWEEP_MS, () => {
      this.#sweeping = undefined
      const latest = time.monotonic() - SESSION_IDLE_MS
      for (const session of [...this.#sessions.values()])
        if (session.usedAt <= latest) session[Symbol.dispose]()
      if (this.#sessions.size > 0) this.#sweepLater()
    })
  }
}

/** A running request with its server; the id is JSON text. */
type OpenRequest = {
  readonly id: string
  readonly over: AbortController
  readonly server: string | undefined
  readonly answer: HttpAnswer
}

/** One session of an agent, from `initialize` until it is closed. */
export class AgentSession implements LogReader, Disposable {
  /** The lowest level of log messages that it requested. */
  level: LogLevel | undefined
  readonly user: InstanceOwner
  /** Not a map: V8 links outgrown tables, and keeps every call's entries until the next full collection. */
  readonly #open: OpenRequest[] = []
  readonly #requests: ClientRequests
  #roots: Promise<readonly Root[]> | undefined
  readonly #watches = new Map<string, Disposable>()
  /** Changes while no stream was open; each is sent once on the next stream. */
  readonly #missed = new Map<string, Change>()
  /** Changes sent on the open stream. */
  readonly #sent = new Map<string, Change>()
  readonly #closing = new DisposableStack()
  #stream: HttpAnswer | undefined
  #inUse = 0
  #usedAt: number

  constructor(
    private readonly agentId: string,
    private readonly terms: SessionTerms,
    private readonly context: EndpointContext,
    onClose: () => void,
  ) {
    this.user = { agentId, sessionId: terms.sessionId }
    this.#requests = new ClientRequests(terms.abilities)
    this.#usedAt = this.#now
    this.#closing.defer(onClose)
    this.#closing.use(context.logs.add(this))
  }

  get sessionId(): string {
    return this.terms.sessionId
  }

  /** Monotonic time of the last use, in ms; the current time while a request or a stream is open. */
  get usedAt(): number {
    return this.#inUse > 0 ? this.#now : this.#usedAt
  }

  greet(id: string, answer: HttpAnswer): void {
    const { serverInfo } = this.context
    const info = { serverInfo, ...this.context.infoFor(this.agentId) }
    answer.header('mcp-session-id', this.sessionId)
    answer.result(id, JSON.stringify({ protocolVersion: this.terms.protocolVersion, ...info }))
  }

  /** Serves the body of one POST; settles when the response is complete. */
  async post(agent: Agent, message: AgentMessage, answer: HttpAnswer, hold: Hold): Promise<void> {
    if (message.kind === 'request') {
      await this.#serve(agent, message, answer, hold)
      return
    }
    this.#usedAt = this.#now
    for (const one of message.kind === 'batch' ? message.messages : [message])
      if (one.kind === 'response') this.#requests.respond(one)
      else if (one.kind === 'notification' && one.method === 'notifications/roots/list_changed') {
        this.#roots = undefined
        this.context.modules.servers.rootsChanged(this.user)
      } else if (one.kind === 'notification' && one.method === 'notifications/cancelled') {
        const id = tokenText(one.params.requestId, one.text, ['params', 'requestId'])
        this.#open.findLast((open) => open.id === id)?.over.abort(CANCELED)
      }
    answer.empty(202)
  }

  /** Resumes a suspended session: everything counts as changed, because the agent may have missed changes. */
  resume({ level, uris }: SessionSubscriptions = { uris: [] }): void {
    for (const kind of LISTS) this.change(listChangeOf(kind))
    if (level) this.#setLevel({ level })
    for (const uri of uris) {
      this.change(updateOf(uri))
      // In the background: a server that no longer has the resource has no changes to report.
      background(this.#watch(uri), 'watching a resource')
    }
  }

  /** Opens the stream for messages outside requests; the newest one is used, because an older one may be half-open (MCP). */
  listen(answer: HttpAnswer): void {
    const before = this.#stream
    answer.header('mcp-session-id', this.sessionId)
    answer.stream()
    this.#stream = answer
    this.#inUse += 1
    answer.onClose(() => {
      this.#release()
      if (this.#stream !== answer) return
      this.#stream = undefined
      for (const change of answer.unsent) this.change(change)
    })
    const missed = new Map([...(before ? this.#sent : []), ...this.#missed])
    this.#missed.clear()
    this.#sent.clear()
    before?.endNow()
    for (const change of missed.values()) this.change(change)
  }

  change(change: Change): void {
    const key = changeKey(change)
    if (!this.#stream) this.#missed.set(key, change)
    else {
      this.#stream.notify(change.method, change.params)
      this.#sent.set(key, change)
    }
  }

  log(installationId: string, params: JsonObject): void {
    const { servers } = this.context.modules.listings.of(this.agentId)
    if (!servers.some((one) => one.installationId === installationId)) return
    const open = this.#open.find((one) => one.server === installationId && one.answer.isStream)
    const answer = open?.answer ?? this.#stream
    answer?.notify('notifications/message', params)
  }

  [Symbol.dispose](): void {
    if (this.#closing.disposed) return
    this.#closing.dispose()
    for (const watch of this.#watches.values()) watch[Symbol.dispose]()
    for (const { over } of this.#open) over.abort(CLOSED)
    this.context.modules.servers.endInstances(this.user)
    this.#requests.end()
    this.#stream?.end()
  }

  async #serve(
    agent: Agent,
    message: RequestMessage,
    answer: HttpAnswer,
    hold: Hold,
  ): Promise<void> {
    const { id } = message
    const over = new AbortController()
    const open = { id, over, answer, server: this.context.serverOf(this.agentId, message) }
    // A response can't be resumed, so nobody could get the result: cancel the call and its approval.
    answer.onClose(() => {
      if (this.#open.includes(open)) over.abort(DISCONNECTED)
    })
    const onProgress = progressFor(message, answer)
    if (onProgress || (this.#requests.canElicit && open.server !== undefined)) answer.stream()
    this.#open.push(open)
    this.#inUse += 1
    const working = hold()
    try {
      const result = await this.#respond(message, {
        agent,
        protocolVersion: this.terms.protocolVersion,
        drawsViews: this.terms.abilities.views,
        signal: over.signal,
        cancel: (reason) => over.abort(reason),
        requestOrigin: this.#originOf(agent, answer),
        onProgress,
      })
      if (over.signal.aborted) answer.end()
      else answer.result(id, result)
    } catch (error) {
      if (over.signal.aborted && over.signal.reason !== CANCELED_BY_USER) answer.end()
      else answer.error(id, this.context.requestErrorOf(error))
    } finally {
      working[Symbol.dispose]()
      this.#open.splice(this.#open.indexOf(open), 1)
      this.#release()
    }
  }

  async #respond(message: RequestMessage, caller: Caller): Promise<string | Buffer> {
    const { params } = message
    switch (message.method) {
      case 'ping':
        return '{}'
      case 'logging/setLevel':
        return this.#setLevel(params)
      case 'resources/subscribe':
        return this.#watch(textOf(params, 'uri'))
      case 'resources/unsubscribe':
        return this.#unwatch(textOf(params, 'uri'))
      default:
        return (await this.context.modules.calls.handle(message, caller)).text
    }
  }

  #originOf({ name }: Agent, answer: HttpAnswer): RequestOrigin {
    const origin = {
      agent: name,
      session: this,
      sessionId: this.sessionId,
      ...(this.terms.abilities.roots && { roots: () => this.#rootsOn(answer) }),
    }
    if (!this.#requests.canElicit || !answer.accepted.events) return origin
    return {
      ...origin,
      // Since this version an error may list pages.
      opensPages: this.terms.abilities.url && this.terms.protocolVersion >= '2025-11-25',
      completed: (elicitationId: string) => this.#complete(answer, elicitationId),
      elicit: (params: JsonObject, signal: AbortSignal) =>
        this.#requests.elicit(answer, params, signal),
    }
  }

  /** Resolves to the app's open folders, requested once until they change, on the stream of a call or of the session. */
  #rootsOn(answer: HttpAnswer): Promise<readonly Root[]> {
    const streams = [answer, ...(this.#stream ? [this.#stream] : [])]
    const roots = (this.#roots ??= this.#requests.roots(streams))
    roots.catch(() => {
      if (this.#roots === roots) this.#roots = undefined
    })
    return roots
  }

  #complete(answer: HttpAnswer, elicitationId: string): void {
    const change = { method: 'notifications/elicitation/complete', params: { elicitationId } }
    const isOpen = this.#open.some((open) => open.answer === answer)
    if (isOpen) answer.notify(change.method, change.params)
    else if (!this.#closing.disposed) this.change(change)
  }

  #setLevel({ level }: JsonObject): string {
    const validLevel = LOG_LEVELS.find((one) => one === level)
    if (!validLevel) throw new RequestError(CODES.invalidParams, 'level must be a valid log level.')
    this.level = validLevel
    this.context.logs.levelChanged()
    this.#storeSubscriptions()
    return '{}'
  }

  async #watch(uri: string): Promise<string> {
    if (this.#watches.has(uri)) return '{}'
    if (this.#watches.size >= MAX_WATCHES) throw tooManyWatches()
    const updated = (): void => this.change(updateOf(uri))
    const watch = await this.context.watches.add(this.user, uri, {
      updated,
      lost: (installationId, reason) => {
        const data = `Updates of ${uri} have stopped: ${reason}`
        this.context.logs.relay(installationId, { level: 'warning', data }, [this])
        updated()
      },
    })
    // Other requests may have subscribed meanwhile, or the session may have ended.
    if (this.#closing.disposed || this.#watches.has(uri)) watch[Symbol.dispose]()
    else if (this.#watches.size >= MAX_WATCHES) {
      watch[Symbol.dispose]()
      throw tooManyWatches()
    } else this.#watches.set(uri, watch)
    this.#storeSubscriptions()
    return '{}'
  }

  #unwatch(uri: string): string {
    this.#watches.get(uri)?.[Symbol.dispose]()
    this.#watches.delete(uri)
    this.#storeSubscriptions()
    for (const changes of [this.#missed, this.#sent]) changes.delete(changeKey(updateOf(uri)))
    return '{}'
  }

  #storeSubscriptions(): void {
    const { level, sessionId } = this
    const uris = [...this.#watches.keys()]
    this.context.sessionIds.storeSubscriptions(sessionId, { level, uris })
  }

  get #now(): number {
    return this.context.time.monotonic()
  }

  #release(): void {
    this.#inUse -= 1
    this.#usedAt = this.#now
  }
}

function listChangeOf(kind: ListKind): Change {
  return { method: `notifications/${kind}/list_changed` }
}

function updateOf(uri: string): Change {
  return { method: 'notifications/resources/updated', params: { uri } }
}
