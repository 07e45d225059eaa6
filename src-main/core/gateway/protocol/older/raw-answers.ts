import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Agent } from '../../../../../src-shared/domain/agents/agent'
import {
  isJsonObject,
  type JsonObject,
} from '../../../../../src-shared/domain/server-json/tolerant-reader'
import { exactResult, type ResultText } from '../../../mcp/json/result-text'
import type { Hold } from '../../access/held-place'
import { argumentsText } from '../../arguments/arguments-text'
import type { AgentListing } from '../../listing/agent-listing'
import type { AgentRequest, AgentRequests } from '../requests/agent-requests'
import { PAGE } from '../requests/list-page'
import { acceptOf } from '../requests/web-exchange'
import { sendCancelled, sendError, sendResult } from './raw-response'

/** What is longer is looked through faster than it is written, in characters. */
const SHORT = 16 * 1024
/** Keys of `_meta` that are the protocol's own begin so (MCP, `_meta`). */
const RESERVED = 'io.modelcontextprotocol/'

/** What a session has in flight under an id of its agent's. */
type Id = string | number

/** A POST of an agent whose session is found, with its body as text and parsed. */
export type Posted = {
  readonly agent: Agent
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly message: unknown
  readonly text: string
  readonly hold: Hold
}

export type RawAnswersParts = {
  /** Whose calls they are; see `CallAsker`. */
  readonly session: object
  readonly listings: { of(agentId: string): AgentListing }
  readonly onListed: (agentId: string) => void
  readonly requests: Pick<AgentRequests, 'answerText'>
  /** What the session speaks; undefined before it is agreed on. */
  readonly protocolVersion: () => string | undefined
  /** Whether the agent asks its own person: a question to it takes the stream of its call. */
  readonly canElicit: () => boolean
  /** A result as the session's era knows it; the same object where that is the same. */
  readonly inItsEra: (request: AgentRequest, result: JsonObject) => JsonObject
}

/**
 * Answers calls of tools and the list of them in a session of the older era as JSON at once, beside the SDK (MCP
 * 2025-11-25, Streamable HTTP): the result's text goes on as its server wrote it. Whatever needs more, such as a stream
 * for progress or questions, is left to the SDK.
 */
export class RawAnswers implements Disposable {
  readonly #parts: RawAnswersParts
  readonly #running = new Map<Id, AbortController>()

  constructor(parts: RawAnswersParts) {
    this.#parts = parts
  }

  /** Whether calls are under way. */
  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /** Settles when it is answered; undefined where it is left to the SDK. */
  take(posted: Posted): Promise<void> | undefined {
    const { message, request } = posted
    if (!isJsonObject(message) || message.jsonrpc !== '2.0' || !this.#isUsual(request))
      return undefined
    const { method, params = {} } = message
    if (!isJsonObject(params) || wantsMore(params)) return undefined
    if (method === 'notifications/cancelled') return this.#cancel(posted, params)
    const { id } = message
    if (!isId(id) || this.#running.has(id)) return undefined
    if (method === 'tools/list') return this.#list(posted, id, params)
    return method === 'tools/call' ? this.#call(posted, id, params) : undefined
  }

  /** Gives up all that is under way. */
  [Symbol.dispose](): void {
    for (const over of this.#running.values()) over.abort()
  }

  /** Whether the SDK would take the request: what it refuses, it refuses itself. */
  #isUsual(request: IncomingMessage): boolean {
    const { 'mcp-protocol-version': asked } = request.headers
    const accept = acceptOf(request)
    const version = this.#parts.protocolVersion()
    const takesBoth = accept.includes('application/json') && accept.includes('text/event-stream')
    return version !== undefined && takesBoth && (asked === undefined || asked === version)
  }

  #cancel({ response }: Posted, { requestId }: JsonObject): Promise<void> | undefined {
    const over = this.#running.get(requestId as Id)
    if (!over) return undefined
    over.abort()
    response.writeHead(202).end()
    return Promise.resolve()
  }

  #list({ agent, response }: Posted, id: Id, params: JsonObject): Promise<void> | undefined {
    if (params.cursor !== undefined) return undefined
    const listing = this.#parts.listings.of(agent.agentId)
    if (listing.definitions.length > PAGE || hasNewerSchema(listing)) return undefined
    this.#parts.onListed(agent.agentId)
    sendResult(response, id, `{"tools":${listing.toolsText}}`)
    return Promise.resolve()
  }

  #call(posted: Posted, id: Id, params: JsonObject): Promise<void> | undefined {
    // Tasks are what the SDK knows of, or refuses.
    if (params.task !== undefined || this.#parts.canElicit()) return undefined
    return this.#answer(posted, id, { method: 'tools/call', params })
  }

  async #answer(posted: Posted, id: Id, request: AgentRequest): Promise<void> {
    const { agent, response } = posted
    const over = new AbortController()
    this.#running.set(id, over)
    const working = posted.hold()
    try {
      const answer = await this.#parts.requests.answerText(request, {
        agent,
        protocolVersion: this.#parts.protocolVersion() ?? '',
        signal: over.signal,
        asker: { agent: agent.name, session: this.#parts.session },
        argsText: isCanonical(posted) ? undefined : argumentsText(posted.text),
      })
      if (over.signal.aborted) sendCancelled(response)
      else sendResult(response, id, this.#textOf(request, answer))
    } catch (error) {
      if (over.signal.aborted) sendCancelled(response)
      else sendError(response, id, error)
    } finally {
      working[Symbol.dispose]()
      this.#running.delete(id)
    }
  }

  #textOf(request: AgentRequest, answer: ResultText): string | Buffer {
    const { text, result } = answer
    if (result.structuredContent === undefined) return text
    if (this.#parts.inItsEra(request, result) === result) return text
    return JSON.stringify(this.#parts.inItsEra(request, exactResult(answer)))
  }
}

/** Whether it was written as JavaScript writes it, so that no key can be there twice: most are, and need no closer look. */
function isCanonical({ message, text }: Posted): boolean {
  return text.length < SHORT && JSON.stringify(message) === text
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

/** Whether it needs a stream for progress, or has what belongs to the newer era and what the SDK keeps from the server. */
function wantsMore({ _meta }: JsonObject): boolean {
  if (!isJsonObject(_meta)) return _meta !== undefined
  const isReserved = (key: string): boolean => key.startsWith(RESERVED)
  return _meta.progressToken !== undefined || Object.keys(_meta).some(isReserved)
}

const NEWER = new WeakMap<AgentListing, boolean>()

/** Whether a tool says that it gives something else than an object, which the older era does not know: the SDK writes that otherwise. */
function hasNewerSchema(listing: AgentListing): boolean {
  const known = NEWER.get(listing)
  if (known !== undefined) return known
  const isNewer = listing.definitions.some(({ outputSchema }) => {
    return isJsonObject(outputSchema) && outputSchema.type !== 'object'
  })
  NEWER.set(listing, isNewer)
  return isNewer
}
