import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

import { ProtocolErrorCode, SERVER_INFO_META_KEY } from '@modelcontextprotocol/client'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { exactResult, type ResultText } from '../../mcp/json/result-text'
import { type AgentRequest, type Caller, methodNotFound } from '../calls/agent-request'
import { isListMethod } from '../calls/list-page'
import { CODES, RequestError } from '../calls/request-error'
import type { NotificationMessage, RequestMessage } from './agent-message'
import { type EndpointContext, type ListKind, progressFor } from './endpoint-context'
import { BRIDGE_HEADER } from './gateway-capabilities'
import { HeldCall } from './held-call'
import type { HttpAnswer } from './http-answer'
import {
  envelopeFault,
  envelopeOf,
  parameterFault,
  STATELESS_VERSION,
  withoutEnvelope,
} from './stateless-headers'
import { Subscriptions } from './subscriptions'

/** How long a request waits for its agent's next round, in ms. */
const HELD_MS = 15 * 60_000
/** Requests of one agent that wait for its next round. */
const MAX_HELD = 100
/** How long an agent may reuse a list, in ms: a user who changes a profile looks immediately. */
const LIST_TTL_MS = 1_000
/** Longer results are not made into a text, in bytes. */
const SHORT = 32 * 1024
/** Sent with status 400 as the only error of a method. */
const MISSING_CAPABILITY: number = ProtocolErrorCode.MissingRequiredClientCapability
const FORWARDED = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete']

type Held = { readonly call: HeldCall; readonly expiry: NodeJS.Timeout }

/** The requests of one agent in the protocol version without sessions (MCP 2026-07-28). */
export class StatelessRequests implements Disposable {
  readonly #context: EndpointContext
  readonly #held = new Map<string, Held>()
  readonly #subscriptions: Subscriptions

  constructor(context: EndpointContext) {
    this.#context = context
    this.#subscriptions = new Subscriptions(context)
  }

  /** Serves one message; settles when that is answered. */
  async serve(
    agent: Agent,
    message: RequestMessage | NotificationMessage,
    headers: IncomingHttpHeaders,
    answer: HttpAnswer,
  ): Promise<void> {
    const fault = envelopeFault(message, headers)
    const id = message.kind === 'request' ? message.id : 'null'
    if (fault) answer.error(id, fault, 400)
    // The end of its connection cancels a request: no notification concerns the gateway.
    else if (message.kind === 'notification') answer.empty(202)
    else if (message.method === 'subscriptions/listen')
      this.#subscriptions.open(agent, message, answer)
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
    for (const { call, expiry } of this.#held.values()) {
      clearTimeout(expiry)
      call.end()
    }
    this.#held.clear()
  }

  #discovery(agent: Agent): string {
    return JSON.stringify({
      resultType: 'complete',
      supportedVersions: [STATELESS_VERSION],
      ...this.#context.infoFor(agent),
      ...cacheFor(LIST_TTL_MS),
      _meta: { [SERVER_INFO_META_KEY]: this.#context.serverInfo },
    })
  }

  #headerFault(
    { agentId }: Agent,
    { method, params }: RequestMessage,
    headers: IncomingHttpHeaders,
  ): RequestError | undefined {
    if (method !== 'tools/call' || headers[BRIDGE_HEADER] !== undefined) return undefined
    const { byName } = this.#context.parts.listings.of(agentId)
    return parameterFault(byName.get(String(params.name))?.listed.inputSchema, params, headers)
  }

  async #request(agent: Agent, message: RequestMessage, answer: HttpAnswer): Promise<void> {
    const { id, method } = message
    const over = new AbortController()
    let isAnswered = false
    // An abort makes an exception, which costs more than all else here.
    answer.onClose(() => {
      if (!isAnswered) over.abort()
    })
    const reading = this.#readLogs(agent, message, answer)
    try {
      const result = await this.#answer(message, {
        agent,
        signal: over.signal,
        protocolVersion: STATELESS_VERSION,
        // There are no sessions: all that the agent sends counts as one.
        asker: { agent: agent.name, session: this },
        onProgress: progressFor(message, answer),
      })
      answer.result(id, statelessText(result, method, this.#context.serverInfo))
    } catch (error) {
      if (over.signal.aborted) return
      const { code, message: text, data } = this.#context.requestErrorOf(error)
      // In this version a resource that is not there is a wrong parameter.
      const own = code === CODES.resourceNotFound ? CODES.invalidParams : code
      const status = code === MISSING_CAPABILITY ? 400 : 200
      answer.error(id, new RequestError(own, text, data), status)
    } finally {
      isAnswered = true
      reading?.[Symbol.dispose]()
    }
  }

  /** Requests whose agent can ask its user may take several rounds. */
  async #answer(message: RequestMessage, caller: Caller): Promise<ResultText> {
    const { handler } = this.#context
    const { params } = message
    const request = forwarded(message)
    const { requestState: state, inputResponses } = params
    const answers = validResponses(inputResponses)
    if (state !== undefined)
      return this.#step(this.#continued(request, state, answers, caller), caller)
    const { canElicit } = envelopeOf(params)
    if (!canElicit || this.#held.size >= MAX_HELD || isListMethod(request.method))
      return handler.handle(request, caller)
    return this.#step(new HeldCall(request, caller, answers, handler), caller)
  }

  /** The request that waits for this round; throws -32602 where there is none. */
  #continued(
    request: AgentRequest,
    state: unknown,
    answers: JsonObject,
    { onProgress }: Caller,
  ): HeldCall {
    const held = typeof state === 'string' ? this.#held.get(state) : undefined
    if (!held || !isSameRequest(held.call.request, request))
      throw new RequestError(
        CODES.invalidParams,
        'No pending request has this requestState. Start again.',
        { reason: 'invalid_request_state' },
      )
    held.call.answer(answers)
    clearTimeout(held.expiry)
    held.call.onProgress = onProgress
    return held.call
  }

  async #step(call: HeldCall, { signal }: Caller): Promise<ResultText> {
    this.#held.delete(call.state)
    const { isOver, result } = await call.next(signal)
    if (isOver) return result
    call.onProgress = undefined
    const expiry = setTimeout(() => {
      this.#held.delete(call.state)
      call.end()
    }, HELD_MS)
    this.#held.set(call.state, { call, expiry: expiry.unref() })
    return result
  }

  /** Sends the log messages of the server that works on a request, where the request names a level. */
  #readLogs(agent: Agent, message: RequestMessage, answer: HttpAnswer): Disposable | undefined {
    const { level } = envelopeOf(message.params)
    const server = level && this.#context.serverOf(agent, message)
    if (server === undefined) return undefined
    return this.#context.logs.add({
      level,
      tell: (installationId, params) => {
        if (installationId === server) answer.notify('notifications/message', params)
      },
    })
  }
}

function isSameRequest(one: AgentRequest, other: AgentRequest): boolean {
  const [a, b] = [one, other].map(({ method, params }) => ({ ...params, _meta: method }))
  return isDeepStrictEqual(a, b)
}

/** The request as its server gets it, without what continues an earlier one (multi round-trip requests). */
function forwarded({ params, method, text, value }: RequestMessage): AgentRequest {
  const { requestState: _state, inputResponses: _responses, ...own } = params
  return { method, text, value, params: { ...own, _meta: withoutEnvelope(params) } }
}

/** Responses that can be results: others are ignored, and their requests are sent again. */
function validResponses(responses: unknown): JsonObject {
  if (!isJsonObject(responses)) return {}
  return Object.fromEntries(
    Object.entries(responses).filter(
      ([, one]) => isJsonObject(one) && !('method' in one) && !('result' in one),
    ),
  )
}

/** For how long and by whom a result may be used again (MCP 2026-07-28, caching). */
function cacheFor(ttlMs: number): JsonObject {
  return { ttlMs, cacheScope: 'private' }
}

/** A result with the members that the version requires; the text of the server stays as it came. */
function statelessText(
  answer: ResultText,
  method: string,
  serverInfo: JsonObject,
): string | Buffer {
  const { result, text } = answer
  const own: JsonObject = {
    resultType: 'complete',
    ...(isListMethod(method) && cacheFor(LIST_TTL_MS)),
    ...(method === 'resources/read' && cacheFor(0)),
    _meta: { [SERVER_INFO_META_KEY]: serverInfo },
  }
  if (Object.keys(own).some((key) => result[key] !== undefined)) {
    const { resultType = 'complete', _meta } = result
    const meta = { [SERVER_INFO_META_KEY]: serverInfo, ...(isJsonObject(_meta) && _meta) }
    return JSON.stringify({ ...own, ...exactResult(answer), resultType, _meta: meta })
  }
  const isEmpty = Object.keys(result).length === 0
  const head = `${JSON.stringify(own).slice(0, -1)}${isEmpty ? '' : ','}`
  if (typeof text === 'string' || text.length < SHORT) {
    const json = text.toString()
    return head + json.slice(json.indexOf('{') + 1)
  }
  return Buffer.concat([Buffer.from(head), text.subarray(text.indexOf('{') + 1)])
}
