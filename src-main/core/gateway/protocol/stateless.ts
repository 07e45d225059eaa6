import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/client'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { exactResult, type ResultText } from '../../mcp/json/result-text'
import { LEVEL_META_KEY, LOG_LEVELS } from '../../mcp/notifications'
import { STATELESS_VERSION } from '../../mcp/peer/connection'
import { isListMethod } from '../calls/agent-answer'
import { type AgentRequest, type Caller, methodNotFound } from '../calls/agent-request'
import { BRIDGE_HEADER } from '../calls/gateway-capabilities'
import { CANCELED_BY_USER, CODES, RequestError } from '../calls/request-error'
import type { NotificationMessage, RequestMessage } from './agent-message'
import { DISCONNECTED, type EndpointContext, progressFor } from './endpoint-context'
import type { HttpAnswer } from './http-answer'
import { type ListKind, Subscriptions } from './server-events'
import { drawsViews } from './session-ids'
import { envelopeFault, metaOf, parameterFault, withoutEnvelope } from './stateless-headers'
import { SuspendedCall } from './suspended-call'

/** Time limit for the next round of a request, in ms. */
const SUSPENDED_MS = 15 * 60_000
/** Maximum number of requests per agent that wait for their next round. */
const MAX_SUSPENDED = 100
/** Time for which an agent may cache a list, in ms: users expect changes of a profile immediately. */
const LIST_TTL_MS = 1_000
/** Maximum bytes of a result that is converted to a string. */
const SHORT = 32 * 1024
/** The only error of a method that is sent with status 400. */
const MISSING_CAPABILITY: number = ProtocolErrorCode.MissingRequiredClientCapability
const FORWARDED = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete']

/** The requests of one agent in the protocol version without sessions (MCP 2026-07-28). */
export class StatelessRequests implements Disposable {
  readonly #suspended = new Map<
    string,
    { readonly call: SuspendedCall; readonly expiry: NodeJS.Timeout }
  >()
  readonly #subscriptions: Subscriptions

  constructor(private readonly context: EndpointContext) {
    this.#subscriptions = new Subscriptions(context.watches, context.serverInfo)
  }

  async serve(
    agent: Agent,
    message: RequestMessage | NotificationMessage,
    headers: IncomingHttpHeaders,
    answer: HttpAnswer,
  ): Promise<void> {
    const fault = envelopeFault(message, headers)
    const id = message.kind === 'request' ? message.id : 'null'
    if (fault) answer.error(id, fault, 400)
    // Closing the connection cancels a request, so no notification concerns the gateway.
    else if (message.kind === 'notification') answer.empty(202)
    else if (message.method === 'subscriptions/listen')
      this.#subscriptions.open({ agentId: agent.agentId }, message, answer)
    else if (message.method === 'server/discover') answer.result(id, this.#discovery(agent))
    else if (!isListMethod(message.method) && !FORWARDED.includes(message.method))
      answer.error(id, methodNotFound(), 404)
    else {
      const mismatch = this.#headerFault(agent, message, headers)
      if (mismatch) answer.error(id, mismatch, 400)
      else await this.#request(agent, message, answer)
    }
  }

  listChanged(kind: ListKind): void {
    this.#subscriptions.listChanged(kind)
  }

  [Symbol.dispose](): void {
    for (const { call, expiry } of this.#suspended.values()) {
      clearTimeout(expiry)
      call.end()
    }
    this.#suspended.clear()
  }

  #discovery({ agentId }: Agent): string {
    return JSON.stringify({
      resultType: 'complete',
      supportedVersions: [STATELESS_VERSION],
      ...this.context.infoFor(agentId),
      ...cacheFor(LIST_TTL_MS),
      _meta: { [SERVER_INFO_META_KEY]: this.context.serverInfo },
    })
  }

  #headerFault(
    { agentId }: Agent,
    { method, params }: RequestMessage,
    headers: IncomingHttpHeaders,
  ): RequestError | undefined {
    if (method !== 'tools/call' || headers[BRIDGE_HEADER] !== undefined) return undefined
    const { byName } = this.context.modules.listings.of(agentId)
    return parameterFault(byName.get(String(params.name))?.listed.inputSchema, params, headers)
  }

  async #request(agent: Agent, message: RequestMessage, answer: HttpAnswer): Promise<void> {
    const { id, method } = message
    const over = new AbortController()
    let isAnswered = false
    // Every response ends with a close; only an unanswered one cancels its call.
    answer.onClose(() => {
      if (!isAnswered) over.abort(DISCONNECTED)
    })
    const reading = this.#readLogs(agent, message, answer)
    try {
      const result = await this.#respond(message, {
        agent,
        signal: over.signal,
        cancel: (reason) => over.abort(reason),
        protocolVersion: STATELESS_VERSION,
        drawsViews: drawsViews(metaOf(message.params)[CLIENT_CAPABILITIES_META_KEY]),
        // Without sessions, everything that the agent sends counts as one.
        requestOrigin: { agent: agent.name, session: this },
        onProgress: progressFor(message, answer),
      })
      answer.result(id, statelessText(result, method, this.context.serverInfo))
    } catch (error) {
      if (over.signal.aborted && over.signal.reason !== CANCELED_BY_USER) return
      const { code, message: text, data } = this.context.requestErrorOf(error)
      // In this version a missing resource is an invalid parameter; elsewhere the code is the server's own.
      const isResource = code === CODES.resourceNotFound && method.startsWith('resources/')
      const responseCode = isResource ? CODES.invalidParams : code
      const status = code === MISSING_CAPABILITY ? 400 : 200
      answer.error(id, new RequestError(responseCode, text, data), status)
    } finally {
      isAnswered = true
      reading?.[Symbol.dispose]()
    }
  }

  /** Requests of agents that support elicitation or roots may take several rounds. */
  async #respond(message: RequestMessage, caller: Caller): Promise<ResultText> {
    const { calls } = this.context.modules
    const { method, params, text, value } = message
    // Members that continue an earlier request or concern only the gateway don't reach the server.
    const { requestState: state, inputResponses, ...requestParams } = params
    const request = {
      method,
      text,
      value,
      params: { ...requestParams, _meta: withoutEnvelope(params) },
    }
    const responses = validResponses(inputResponses)
    const { [CLIENT_CAPABILITIES_META_KEY]: can } = metaOf(params)
    const abilities = {
      elicitation: isJsonObject(can) && isJsonObject(can.elicitation),
      roots: isJsonObject(can) && isJsonObject(can.roots),
    }
    const isAskable = abilities.elicitation || abilities.roots
    if (
      state === undefined &&
      (!isAskable || this.#suspended.size >= MAX_SUSPENDED || isListMethod(method))
    )
      return calls.handle(request, caller)
    const call =
      state === undefined
        ? new SuspendedCall(request, { ...caller, abilities }, responses, calls)
        : this.#continued(request, state, responses)
    call.onProgress = caller.onProgress
    const { isDone, result } = await call.next(caller.signal)
    if (isDone) return result
    call.onProgress = undefined
    const { state: next } = call
    const expiry = setTimeout(() => {
      this.#suspended.delete(next)
      call.end()
    }, SUSPENDED_MS)
    this.#suspended.set(next, { call, expiry: expiry.unref() })
    return result
  }

  /** Returns the request that waits for this round; throws -32602 if there is none. */
  #continued(request: AgentRequest, state: unknown, responses: JsonObject): SuspendedCall {
    const suspended = this.#suspended.get(String(state))
    if (!suspended || !isSameRequest(suspended.call.request, request))
      throw new RequestError(
        CODES.invalidParams,
        'No pending request has this requestState. Start again.',
        { reason: 'invalid_request_state' },
      )
    suspended.call.answer(responses)
    clearTimeout(suspended.expiry)
    this.#suspended.delete(suspended.call.state)
    return suspended.call
  }

  /** Sends log messages of a request's server if the request names a level. */
  #readLogs(
    { agentId }: Agent,
    message: RequestMessage,
    answer: HttpAnswer,
  ): Disposable | undefined {
    const { [LEVEL_META_KEY]: named } = metaOf(message.params)
    const level = named === undefined ? named : LOG_LEVELS.find((one) => one === named)
    const server = level && this.context.serverOf(agentId, message)
    if (server === undefined) return undefined
    return this.context.logs.add({
      user: { agentId },
      level,
      log: (installationId, params) => {
        if (installationId === server) answer.notify('notifications/message', params)
      },
    })
  }
}

function isSameRequest(one: AgentRequest, other: AgentRequest): boolean {
  const [a, b] = [one, other].map(({ method, params }) => ({ ...params, _meta: method }))
  return isDeepStrictEqual(a, b)
}

/** Returns the valid responses; the requests of invalid ones are sent again. */
function validResponses(responses: unknown): JsonObject {
  if (!isJsonObject(responses)) return {}
  return Object.fromEntries(
    Object.entries(responses).filter(
      ([, one]) => isJsonObject(one) && !('method' in one) && !('result' in one),
    ),
  )
}

/** Returns for how long and by whom a result may be cached (MCP 2026-07-28, caching). */
function cacheFor(ttlMs: number): JsonObject {
  return { ttlMs, cacheScope: 'private' }
}

/** Adds the members that the version requires; the server's text stays unchanged. */
function statelessText(
  answer: ResultText,
  method: string,
  serverInfo: JsonObject,
): string | Buffer {
  const { result, text } = answer
  const required: JsonObject = {
    resultType: 'complete',
    ...(isListMethod(method) && cacheFor(LIST_TTL_MS)),
    ...(method === 'resources/read' && cacheFor(0)),
    _meta: { [SERVER_INFO_META_KEY]: serverInfo },
  }
  if (Object.keys(required).some((key) => result[key] !== undefined)) {
    const exact = exactResult(answer)
    const { resultType = 'complete', _meta } = exact
    const meta = { [SERVER_INFO_META_KEY]: serverInfo, ...(isJsonObject(_meta) && _meta) }
    return JSON.stringify({ ...required, ...exact, resultType, _meta: meta })
  }
  const isEmpty = Object.keys(result).length === 0
  const head = `${JSON.stringify(required).slice(0, -1)}${isEmpty ? '' : ','}`
  if (typeof text === 'string' || text.length < SHORT) {
    const json = text.toString()
    return head + json.slice(json.indexOf('{') + 1)
  }
  return Buffer.concat([Buffer.from(head), text.subarray(text.indexOf('{') + 1)])
}
