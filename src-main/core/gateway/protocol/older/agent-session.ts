/* oxlint-disable typescript/no-deprecated -- McpServer checks and rewrites what passes; Server hands it on as it is, for which the SDK keeps it */
import { randomUUID } from 'node:crypto'

import {
  type CallToolResult,
  type RequestId,
  type Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import * as z from 'zod'

import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import { isJsonObject } from '../../../../../src-shared/domain/server-json/tolerant-reader'
import type { CallAsker } from '../../../mcp/elicitation/call-asker'
import { ElicitResult } from '../../../mcp/elicitation/elicitation'
import { LOG_LEVELS, type LogLevel } from '../../../mcp/notifications'
import { argumentsText } from '../../arguments/arguments-text'
import type { ReadRequest } from '../requests/agent-ports'
import { type AgentRequest, type RequestContext, textOf } from '../requests/agent-requests'
import type { EndpointCore } from '../requests/endpoint-core'
import type { Change } from '../requests/event-queue'
import { gatewayServer } from '../requests/gateway-server'
import type { LogReader } from '../requests/log-relay'
import { CODES, RequestError } from '../requests/request-error'
import type { WebExchange } from '../requests/web-exchange'
import { type Posted, RawAnswers } from './raw-answers'
import { SessionStream } from './session-stream'

/** As long as a timer can be: whoever asks sets a limit of his own. */
const NO_LIMIT_MS = 2 ** 31 - 1
/** Resources that one session may want to hear of. */
const MOST_WATCHES = 1_000

const Level = z.looseObject({ level: z.enum(LOG_LEVELS) })
const Anything = z.unknown()

/** One connection of an agent in the older era: from `initialize` (MCP 2024-11-05 to 2025-11-25) until it is closed. */
export class AgentSession implements LogReader, Disposable {
  readonly sessionId = randomUUID()
  readonly #core: EndpointCore
  readonly #server: Server
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #raw: RawAnswers
  readonly #open = new Set<WebExchange>()
  /** Requests as they came, to see in their texts what no value shows. */
  readonly #sent = new WeakMap<Request, ReadRequest>()
  /** Requests under way, with the server that works on them and where they are answered. */
  readonly #calls = new Map<RequestId, { worker: string; exchange: WebExchange | undefined }>()
  /** Requests for a resource that is not there, until that is told. */
  readonly #notFound = new Set<RequestId>()
  readonly #watches = new Map<string, Disposable>()
  readonly #reading: Disposable
  readonly #stream = new SessionStream((change) => this.#notify(change))
  #agent: Agent
  #usedAt: number
  #level: LogLevel | undefined
  #isClosed = false

  private constructor(agent: Agent, core: EndpointCore, onClose: () => void) {
    this.#agent = agent
    this.#core = core
    this.#usedAt = core.time.monotonic()
    this.#server = gatewayServer(core, agent)
    this.#server.fallbackRequestHandler = async ({ method, params }, context) =>
      this.#answer({ method, params: isJsonObject(params) ? params : {} }, context)
    this.#server.setRequestHandler('logging/setLevel', { params: Level }, ({ level }) => {
      this.#level = level
      core.logs.levelChanged()
      return {}
    })
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.sessionId,
    })
    this.#server.onclose = () => {
      this[Symbol.dispose]()
      onClose()
    }
    this.#reading = core.logs.add(this)
    this.#raw = new RawAnswers({
      session: this,
      listings: core.listings,
      onListed: core.onListed,
      requests: core.requests,
      protocolVersion: () => this.#server.getNegotiatedProtocolVersion(),
      canElicit: () => this.#server.getClientCapabilities()?.elicitation !== undefined,
      inItsEra: (request, result) => this.#inItsEra(request, result),
    })
  }

  /** One that waits for its `initialize`. */
  static async open(agent: Agent, core: EndpointCore, onClose: () => void): Promise<AgentSession> {
    const session = new AgentSession(agent, core, onClose)
    await session.#server.connect(session.#transport)
    session.#keepOwnCodes()
    return session
  }

  get level(): LogLevel | undefined {
    return this.#level
  }

  /** When it was used last; now, while an answer or a stream is open. By the endpoint's own time, in ms. */
  get usedAt(): number {
    return this.#open.size > 0 || this.#raw.isBusy ? this.#core.time.monotonic() : this.#usedAt
  }

  /** Serves one request of it; settles when that is answered, or its stream is over. */
  async serve(agent: Agent, asked: ReadRequest): Promise<void> {
    const { exchange, message } = asked
    const { request } = exchange
    this.#agent = agent
    this.#open.add(exchange)
    this.#sent.set(request, asked)
    try {
      const options = message === undefined ? {} : { parsedBody: message }
      const answer = await this.#transport.handleRequest(request, options)
      if (request.method === 'GET' && answer.ok) this.#stream.begin(exchange)
      await exchange.answer(answer)
    } finally {
      this.#open.delete(exchange)
      this.#stream.end(exchange)
      this.#usedAt = this.#core.time.monotonic()
    }
  }

  /** Answers a request of it beside the SDK; undefined where that is to serve it. */
  takeRaw(posted: Posted): Promise<void> | undefined {
    this.#agent = posted.agent
    const taken = this.#raw.take(posted)
    if (taken) this.#usedAt = this.#core.time.monotonic()
    return taken
  }

  /** Says that a list is another. */
  changed(kind: 'tools' | 'prompts' | 'resources'): void {
    this.#stream.tell({ method: `notifications/${kind}/list_changed` })
  }

  tell(installationId: string, params: Readonly<Record<string, unknown>>): void {
    const { listings } = this.#core
    const { servers } = listings.of(this.#agent.agentId)
    if (!servers.some((one) => one.installationId === installationId)) return
    const [call, { exchange } = { exchange: this.#stream.exchange }] =
      [...this.#calls].find(([, { worker }]) => worker === installationId) ?? []
    // What nobody will read is not even made.
    if (!exchange || exchange.leavesOut(params)) return
    this.#notify({ method: 'notifications/message', params }, call)
  }

  /** Ends it, with all that it has under way. */
  [Symbol.dispose](): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#reading[Symbol.dispose]()
    for (const watch of this.#watches.values()) watch[Symbol.dispose]()
    this.#watches.clear()
    this.#raw[Symbol.dispose]()
    void this.#server.close()
  }

  async #answer(request: AgentRequest, context: ServerContext): Promise<Record<string, unknown>> {
    const { id, signal } = context.mcpReq
    const worker = this.#core.workerOf(this.#agent, request)
    const sent = this.#sentOf(context)
    if (worker !== undefined) this.#calls.set(id, { worker, exchange: sent?.exchange })
    const working = sent?.hold()
    try {
      if (request.method === 'resources/subscribe') return await this.#watch(request)
      if (request.method === 'resources/unsubscribe') return this.#unwatch(request)
      const result = await this.#core.requests.answer(request, this.#contextOf(context))
      return request.method === 'tools/call' ? this.#inItsEra(request, result) : result
    } catch (error) {
      if (error instanceof RequestError && error.code === CODES.resourceNotFound)
        this.#notFound.add(id)
      throw error
    } finally {
      working?.[Symbol.dispose]()
      this.#calls.delete(id)
      // No answer follows a cancellation, and a stream that waits for one would stay open.
      if (signal.aborted) this.#transport.closeSSEStream(id)
    }
  }

  #contextOf(context: ServerContext): RequestContext {
    const { _meta, method, notify, signal } = context.mcpReq
    const sent = method === 'tools/call' ? this.#sentOf(context) : undefined
    return {
      agent: this.#agent,
      protocolVersion: this.#server.getNegotiatedProtocolVersion() ?? '',
      signal,
      asker: this.#askerOf(context),
      argsText: sent && !Array.isArray(sent.message) ? argumentsText(sent.text) : undefined,
      onProgress: (progress) => {
        const params = { ...progress, progressToken: _meta?.progressToken ?? 0 }
        void notify({ method: 'notifications/progress', params }).catch(() => undefined) // it left
      },
    }
  }

  /** The agent itself, where its app can ask its person. */
  #askerOf({ mcpReq, http }: ServerContext): CallAsker {
    const { name } = this.#agent
    const can = this.#server.getClientCapabilities()?.elicitation
    if (!can) return { agent: name, session: this }
    return {
      agent: name,
      session: this,
      elicit: async (params, signal) => {
        const isAble = params.mode === 'url' ? can.url : (can.form ?? !can.url)
        if (!isAble) throw new RequestError(CODES.failed, 'The agent does not ask in this way.')
        const left = http?.req?.signal
        const result = await mcpReq.send({ method: 'elicitation/create', params }, Anything, {
          signal: left ? AbortSignal.any([signal, left]) : signal,
          timeout: NO_LIMIT_MS,
        })
        return ElicitResult.parse(result)
      },
    }
  }

  /** Texts for what agents of the older era do not know: results that are no objects (MCP, SEP-2106). */
  #inItsEra({ params }: AgentRequest, result: Record<string, unknown>): Record<string, unknown> {
    if (result.structuredContent === undefined) return result
    const { byName } = this.#core.listings.of(this.#agent.agentId)
    const schema = byName.get(String(params.name))?.definition.outputSchema
    const advertised = isJsonObject(schema) ? schema : undefined
    return this.#server.projectCallToolResult(result as CallToolResult, advertised)
  }

  async #watch({ params }: AgentRequest): Promise<Record<string, unknown>> {
    const uri = textOf(params, 'uri')
    if (this.#watches.has(uri)) return {}
    if (this.#watches.size >= MOST_WATCHES)
      throw new RequestError(CODES.failed, `No more than ${MOST_WATCHES} resources can be watched.`)
    const updated = (): void => this.#stream.tell(updateOf(uri))
    const watch = await this.#core.watch(this.#agent, uri, {
      updated,
      lost: (installationId, reason) => {
        const data = `It no longer tells when ${uri} changes: ${reason}`
        this.#core.logs.tell(installationId, { level: 'warning', data }, [this])
        updated()
      },
    })
    // It may have been asked for twice at once, or the session ended meanwhile.
    if (this.#isClosed || this.#watches.has(uri)) watch[Symbol.dispose]()
    else this.#watches.set(uri, watch)
    return {}
  }

  #unwatch({ params }: AgentRequest): Record<string, unknown> {
    const uri = textOf(params, 'uri')
    this.#watches.get(uri)?.[Symbol.dispose]()
    this.#watches.delete(uri)
    this.#stream.forget(updateOf(uri))
    return {}
  }

  #sentOf({ http }: ServerContext): ReadRequest | undefined {
    return http?.req && this.#sent.get(http.req)
  }

  #notify({ method, params }: Change, relatedRequestId?: RequestId): void {
    const related = relatedRequestId === undefined ? {} : { relatedRequestId }
    // A session that ends needs to hear of nothing any more.
    const notification = { method, ...(params && { params: { ...params } }) }
    void this.#server.notification(notification, related).catch(() => undefined) // it left
  }

  /** The SDK writes the code of the newer era for a resource that is not there, whatever the server said. */
  #keepOwnCodes(): void {
    const transport = this.#transport
    const send = transport.send.bind(transport)
    transport.send = async (message, options) => {
      const isNotFound = 'error' in message && this.#notFound.delete(message.id ?? '')
      if (!isNotFound) return send(message, options)
      const error = { ...message.error, code: CODES.resourceNotFound }
      return send({ ...message, error }, options)
    }
  }
}

function updateOf(uri: string): Change {
  return { method: 'notifications/resources/updated', params: { uri } }
}
