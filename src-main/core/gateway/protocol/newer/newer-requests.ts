/* oxlint-disable typescript/no-deprecated -- McpServer checks and rewrites what passes; Server hands it on as it is, for which the SDK keeps it */
import { isDeepStrictEqual } from 'node:util'

import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  LOG_LEVEL_META_KEY,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'

import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import { isJsonObject } from '../../../../../src-shared/domain/server-json/tolerant-reader'
import { LOG_LEVELS } from '../../../mcp/notifications'
import { argumentsText } from '../../arguments/arguments-text'
import { type AgentRequest, isAnswered, type RequestContext } from '../requests/agent-requests'
import type { EndpointCore } from '../requests/endpoint-core'
import { gatewayServer } from '../requests/gateway-server'
import { isListMethod } from '../requests/list-page'
import { CODES, RequestError } from '../requests/request-error'
import type { WebExchange } from '../requests/web-exchange'
import { HeldCall } from './held-call'
import { parameterHeaderFault } from './parameter-header-fault'
import { WatchedResources } from './watched-resources'

/** The only version of the era so far. */
const VERSION = '2026-07-28'
/** How long an agent may take a list for what it was, in ms: a person who changes a profile looks at once. */
const LIST_TTL_MS = 1_000
/** How long a request waits for its agent to ask again, in ms. */
const HELD_MS = 15 * 60_000
/** Requests of one agent that wait for it to ask again. */
const MOST_HELD = 100
const MOST_LISTENING = 64
/** Resources that one of these may want to hear of. */
const MOST_WATCHES = 1_000
/** Headers and body of a request do not fit (MCP 2026-07-28, SEP-2243). */
const HEADER_MISMATCH = -32_020

const Envelope = z
  .object({
    [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: z.looseObject({}).optional() }),
    [LOG_LEVEL_META_KEY]: z.enum(LOG_LEVELS).optional().catch(undefined),
  })
  .transform((envelope) => ({
    canAsk: envelope[CLIENT_CAPABILITIES_META_KEY].elicitation !== undefined,
    level: envelope[LOG_LEVEL_META_KEY],
  }))
const Id = z.union([z.string(), z.number()])
const Listen = z.object({
  id: Id,
  method: z.literal('subscriptions/listen'),
  params: z.object({ notifications: z.object({ resourceSubscriptions: z.array(z.string()) }) }),
})
const Call = z.object({
  id: Id,
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string() }),
})

/** A request before the SDK has read it. */
type Asked = {
  readonly agent: Agent
  readonly message: unknown
  readonly text: string
  readonly exchange: WebExchange
}

type Held = {
  readonly call: HeldCall
  forgetting?: NodeJS.Timeout
  report: RequestContext['onProgress']
}

/** What one agent asks in the newer era, each request by itself (MCP 2026-07-28). */
export class NewerRequests implements Disposable {
  readonly #core: EndpointCore
  readonly #handler: ReturnType<typeof createMcpHandler>
  readonly #asked = new WeakMap<Request, Asked>()
  readonly #held = new Map<string, Held>()
  readonly #watched: WatchedResources

  constructor(core: EndpointCore) {
    this.#core = core
    this.#handler = createMcpHandler(({ requestInfo }) => this.#serverFor(requestInfo), {
      legacy: 'reject',
      maxSubscriptions: MOST_LISTENING,
    })
    this.#watched = new WatchedResources(core, (uri) => this.#handler.notify.resourceUpdated(uri))
  }

  /** Serves one request; settles when that is answered, or its stream is over. */
  async serve(exchange: WebExchange, agent: Agent, message: unknown, text: string): Promise<void> {
    const { request } = exchange
    const { data: listen } = Listen.safeParse(message)
    const fault = listen ? listenFault(listen) : this.#headerFault(exchange, agent, message)
    if (fault) {
      await exchange.answer(fault)
      return
    }
    this.#asked.set(request, { agent, message, text, exchange })
    const uris = listen?.params.notifications.resourceSubscriptions ?? []
    const watching = this.#watched.watch(agent, uris)
    try {
      await exchange.answer(await this.#handler.fetch(request, { parsedBody: message }))
    } finally {
      watching[Symbol.dispose]()
    }
  }

  /** Says that a list is another to whoever listens. */
  changed(kind: 'tools' | 'prompts' | 'resources'): void {
    this.#handler.notify[`${kind}Changed`]()
  }

  [Symbol.dispose](): void {
    for (const { call, forgetting } of this.#held.values()) {
      clearTimeout(forgetting)
      call.end()
    }
    this.#held.clear()
    void this.#handler.close()
  }

  #serverFor(sent: Request | undefined): Server {
    const asked = sent && this.#asked.get(sent)
    if (!asked) throw new Error('A request came that nobody sent.')
    const { agent, message, text } = asked
    const server = gatewayServer(this.#core, agent)
    // It is of the older era: the newer has the level in each request.
    server.removeRequestHandler('logging/setLevel')
    // Without a handler the SDK says that there is no such method as the era wants it said (404).
    if (!isAnswered(message)) return server
    server.fallbackRequestHandler = async ({ method, params }, context) => {
      const request = { method, params: isJsonObject(params) ? params : {} }
      const result = await this.#answer(agent, request, context, text)
      const hold = { ttlMs: LIST_TTL_MS, cacheScope: 'private' }
      return isListMethod(method) ? { ...result, ...hold } : result
    }
    return server
  }

  async #answer(
    agent: Agent,
    request: AgentRequest,
    context: ServerContext,
    text: string,
  ): Promise<Record<string, unknown>> {
    const { signal, notify, _meta } = context.mcpReq
    const common = {
      agent,
      protocolVersion: VERSION,
      argsText: request.method === 'tools/call' ? argumentsText(text) : undefined,
      onProgress: (progress: Record<string, unknown>): void => {
        const params = { ...progress, progressToken: _meta?.progressToken ?? 0 }
        void notify({ method: 'notifications/progress', params }).catch(() => undefined) // it left
      },
    }
    const reading = this.#readLogs(agent, request, context)
    try {
      const held = this.#heldFor(request, context, common)
      if (held) return await this.#step(held, signal)
      const asker = { agent: agent.name, session: this }
      return await this.#core.requests.answer(request, { ...common, signal, asker })
    } finally {
      reading?.[Symbol.dispose]()
    }
  }

  /** What is under way for a request whose agent can be asked. */
  #heldFor(
    request: AgentRequest,
    { mcpReq }: ServerContext,
    common: Omit<RequestContext, 'signal' | 'asker'>,
  ): Held | undefined {
    const state: unknown = mcpReq.requestState()
    if (state !== undefined) return this.#again(request, state, mcpReq.inputResponses, common)
    const { data: envelope } = Envelope.safeParse(mcpReq.envelope)
    const isFull = this.#held.size >= MOST_HELD
    if (!envelope?.canAsk || isFull || isListMethod(request.method)) return undefined
    const held: Held = {
      report: common.onProgress,
      call: new HeldCall(
        request,
        (elicit, signal) =>
          this.#core.requests.answer(request, {
            ...common,
            signal,
            // The era has no sessions: all that the agent asks is one.
            asker: { agent: common.agent.name, session: this, elicit },
            onProgress: (progress) => held.report?.(progress),
          }),
        mcpReq.inputResponses,
      ),
    }
    return held
  }

  /** What waits for this request; throws -32602 where nothing does. */
  #again(
    request: AgentRequest,
    state: unknown,
    answers: Readonly<Record<string, unknown>> = {},
    { onProgress }: Pick<RequestContext, 'onProgress'>,
  ): Held {
    const held = typeof state === 'string' ? this.#held.get(state) : undefined
    if (!held || !isSameRequest(held.call.request, request))
      throw new RequestError(CODES.invalidParams, 'Nothing waits for this request. Ask anew.', {
        reason: 'invalid_request_state',
      })
    held.call.answer(answers)
    clearTimeout(held.forgetting)
    held.report = onProgress
    return held
  }

  async #step(held: Held, signal: AbortSignal): Promise<Record<string, unknown>> {
    const { call } = held
    this.#held.delete(call.state)
    const step = await call.next(signal)
    if (step.kind === 'result') return step.result
    held.report = undefined
    this.#held.set(call.state, held)
    held.forgetting = setTimeout(() => {
      this.#held.delete(call.state)
      call.end()
    }, HELD_MS)
    held.forgetting.unref()
    const inputRequests = Object.fromEntries(
      Object.entries(step.asks).map(([name, params]) => {
        return [name, { method: 'elicitation/create', params }]
      }),
    )
    return { resultType: 'input_required', inputRequests, requestState: call.state }
  }

  /** Brings the messages of the server that works on a request to its stream, where it asks for them. */
  #readLogs(
    agent: Agent,
    request: AgentRequest,
    { mcpReq, http }: ServerContext,
  ): Disposable | undefined {
    const exchange = http?.req && this.#asked.get(http.req)?.exchange
    const level = Envelope.safeParse(mcpReq.envelope).data?.level
    const worker = this.#core.workerOf(agent, request)
    if (level === undefined || worker === undefined) return undefined
    return this.#core.logs.add({
      level,
      tell: (installationId, params) => {
        if (installationId !== worker || exchange?.leavesOut(params)) return
        const message = { method: 'notifications/message', params }
        void mcpReq.notify(message).catch(() => undefined) // it left
      },
    })
  }

  #headerFault(exchange: WebExchange, agent: Agent, message: unknown): Response | undefined {
    const { data: call } = Call.safeParse(message)
    if (!call) return undefined
    const { byName } = this.#core.listings.of(agent.agentId)
    const schema = byName.get(call.params.name)?.definition.inputSchema
    const fault = parameterHeaderFault(schema, call.params.arguments, exchange.request.headers)
    if (fault === undefined) return undefined
    const error = { code: HEADER_MISMATCH, message: fault }
    return Response.json({ jsonrpc: '2.0', id: call.id, error }, { status: 400 })
  }
}

/** What is watched in part would be silent about the rest: the era has no word for it. */
function listenFault({ id, params }: z.infer<typeof Listen>): Response | undefined {
  const { length } = params.notifications.resourceSubscriptions
  if (length <= MOST_WATCHES) return undefined
  const message = `No more than ${MOST_WATCHES} resources can be watched at a time, and these are ${length}.`
  return Response.json({ jsonrpc: '2.0', id, error: { code: CODES.invalidParams, message } })
}

function isSameRequest(one: AgentRequest, other: AgentRequest): boolean {
  const [a, b] = [one, other].map(({ method, params }) => ({ ...params, _meta: method }))
  return isDeepStrictEqual(a, b)
}
