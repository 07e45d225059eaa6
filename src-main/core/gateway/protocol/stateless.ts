import type { IncomingHttpHeaders } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

import { ProtocolErrorCode, SERVER_INFO_META_KEY } from '@modelcontextprotocol/client'

import type { Agent } from '../../../../src-shared/domain/agents/agent'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { parameterHeaders } from '../../mcp/connections/parameter-headers'
import type { ResultText } from '../../mcp/json/result-text'
import { type AgentRequest, type Caller, methodNotFound } from '../calls/agent-request'
import { isListMethod } from '../calls/list-page'
import { CODES, RequestError } from '../calls/request-error'
import { type NotificationMessage, type RequestMessage, tokenText } from './agent-message'
import { type EndpointContext, requestErrorOf } from './endpoint-context'
import type { HttpAnswer } from './http-answer'
import { HeldCall } from './multi-round-trip'
import {
  decodedHeader,
  envelopeOf,
  HEADER_MISMATCH,
  metaOf,
  STATELESS_VERSION,
  statelessFault,
  withoutEnvelope,
} from './protocol-version'
import { exactToken } from './session'
import { cacheFor, LIST_TTL_MS, statelessText } from './stateless-result'
import { Subscriptions } from './subscriptions'

/** How long a request waits for its agent's next round, in ms. */
const HELD_MS = 15 * 60_000
/** Requests of one agent that wait for its next round. */
const MOST_HELD = 100
/** Sent with status 400 as the only error of a method. */
const MISSING_CAPABILITY: number = ProtocolErrorCode.MissingRequiredClientCapability
const FORWARDED = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete']

type Held = {
  readonly call: HeldCall
  forgetting?: NodeJS.Timeout
  report: Caller['onProgress']
}

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
    const fault = statelessFault(message, headers)
    const id = message.kind === 'request' ? message.id : 'null'
    if (fault) answer.error(id, fault.error, fault.status)
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

  /** A list changed. */
  changed(kind: 'tools' | 'prompts' | 'resources'): void {
    this.#subscriptions.changed(kind)
  }

  [Symbol.dispose](): void {
    for (const { call, forgetting } of this.#held.values()) {
      clearTimeout(forgetting)
      call.end()
    }
    this.#held.clear()
  }

  #discovery(agent: Agent): string {
    const { serverInfo, ...info } = this.#context.infoFor(agent)
    return JSON.stringify({
      resultType: 'complete',
      supportedVersions: [STATELESS_VERSION],
      ...info,
      ...cacheFor(LIST_TTL_MS),
      _meta: { [SERVER_INFO_META_KEY]: serverInfo },
    })
  }

  #headerFault(
    { agentId }: Agent,
    { method, params }: RequestMessage,
    headers: IncomingHttpHeaders,
  ): RequestError | undefined {
    if (method !== 'tools/call') return undefined
    const { byName } = this.#context.parts.listings.of(agentId)
    const schema = byName.get(String(params.name))?.listed.inputSchema
    const fault = parameterHeaderFault(schema, params.arguments, headers)
    return fault === undefined ? undefined : new RequestError(HEADER_MISMATCH, fault)
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
      const result = await this.#answer(
        message,
        this.#callerOf(agent, message, answer, over.signal),
      )
      answer.result(id, statelessText(result, method, this.#context.serverInfo))
    } catch (error) {
      if (over.signal.aborted) return
      const sent = requestErrorOf(error, this.#context.parts.onFault)
      // Since this version a resource that is not there is a wrong parameter.
      const { code, message: text, data } = sent
      const isMoved = code === CODES.resourceNotFound
      const status = code === MISSING_CAPABILITY ? 400 : 200
      answer.error(id, isMoved ? new RequestError(CODES.invalidParams, text, data) : sent, status)
    } finally {
      isAnswered = true
      reading?.[Symbol.dispose]()
    }
  }

  #callerOf(
    agent: Agent,
    message: RequestMessage,
    answer: HttpAnswer,
    signal: AbortSignal,
  ): Caller {
    const token = tokenText(metaOf(message.params).progressToken, message.text, [
      ...['params', '_meta', 'progressToken'],
    ])
    const progressToken = exactToken(token)
    return {
      agent,
      signal,
      protocolVersion: STATELESS_VERSION,
      asker: { agent: agent.name, session: this },
      onProgress:
        token === undefined
          ? undefined
          : (progress) => answer.notify('notifications/progress', { progressToken, ...progress }),
    }
  }

  /** Requests whose agent can ask its user may take several rounds. */
  async #answer(message: RequestMessage, caller: Caller): Promise<ResultText> {
    const { params } = message
    const request = forwarded(message)
    const { requestState: state, inputResponses } = params
    const answers = validResponses(inputResponses)
    const { canElicit } = envelopeOf(params)
    if (state !== undefined)
      return this.#step(this.#continued(request, state, answers, caller), caller)
    if (!canElicit || this.#held.size >= MOST_HELD || isListMethod(request.method))
      return this.#context.handler.handle(request, caller)
    const held: Held = {
      report: caller.onProgress,
      call: new HeldCall(
        request,
        (elicit, signal) =>
          this.#context.handler.handle(request, {
            ...caller,
            signal,
            // There are no sessions: all that the agent sends counts as one.
            asker: { agent: caller.agent.name, session: this, elicit },
            onProgress: (progress) => held.report?.(progress),
          }),
        answers,
      ),
    }
    return this.#step(held, caller)
  }

  /** The request that waits for this round; throws -32602 where there is none. */
  #continued(
    request: AgentRequest,
    state: unknown,
    answers: JsonObject,
    { onProgress }: Caller,
  ): Held {
    const held = typeof state === 'string' ? this.#held.get(state) : undefined
    if (!held || !isSameRequest(held.call.request, request))
      throw new RequestError(
        CODES.invalidParams,
        'No pending request has this requestState. Start again.',
        {
          reason: 'invalid_request_state',
        },
      )
    held.call.answer(answers)
    clearTimeout(held.forgetting)
    held.report = onProgress
    return held
  }

  async #step(held: Held, { signal }: Caller): Promise<ResultText> {
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
    const result = { resultType: 'input_required', inputRequests, requestState: call.state }
    return { text: JSON.stringify(result), result }
  }

  /** Sends the log messages of the server that works on a request, where the request asks for a level. */
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

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u

/**
 * Why the headers of a call do not fit its arguments, as a sentence (MCP 2026-07-28, custom headers): each argument whose
 * schema names a header has to be there too, with the same value.
 */
function parameterHeaderFault(
  inputSchema: unknown,
  args: unknown,
  headers: IncomingHttpHeaders,
): string | undefined {
  for (const [name, expected] of Object.entries(parameterHeaders(inputSchema, args))) {
    const { [name.toLowerCase()]: given } = headers
    if (typeof given !== 'string')
      return `The header ${name} is missing, but the call has an argument for it.`
    if (!isSameValue(decodedHeader(given), decodedHeader(expected)))
      return `The header ${name} does not match the argument of the call.`
  }
  return undefined
}

/** Numbers may be written in more than one way. */
function isSameValue(given: string | undefined, expected = ''): boolean {
  if (given === undefined || given === expected) return given !== undefined
  return DECIMAL.test(given) && DECIMAL.test(expected) && Number(given) === Number(expected)
}
