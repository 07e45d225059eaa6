import {
  isJsonObject,
  type JsonObject,
} from '../../../../src-shared/domain/server-json/tolerant-reader'
import { Throttle } from '../../lifecycle/throttle'
import { AgentDoor } from './agent-door'
import type { AgentExchange, EndpointParts } from './requests/agent-ports'
import { EndpointCore } from './requests/endpoint-core'
import { markIds } from './requests/exact-ids'
import { CODES } from './requests/request-error'
import { WebExchange } from './requests/web-exchange'

/** Agents are told of changes at most this often, in ms: twenty servers that get ready are one change for who looks on. */
const TELL_EVERY_MS = 200

/** Parameters of every request that may be absent. */
const OPTIONAL = ['_meta', 'cursor']

/**
 * MCP for agents over Streamable HTTP: sessions of the older era (2024-11-05 to 2025-11-25) and single requests of the
 * newer (2026-07-28) at one address. One session to each server serves all agents (B12).
 */
export class AgentEndpoint {
  readonly #core: EndpointCore
  readonly #doors = new Map<string, AgentDoor>()
  readonly #telling = new Throttle(TELL_EVERY_MS, () => {
    for (const door of this.#doors.values()) door.changed()
  })

  constructor(parts: EndpointParts) {
    this.#core = new EndpointCore(parts)
  }

  /** Answers a request that may pass; settles when that is done, or its stream is over. Never rejects. */
  async serve({ agent, request, response, body, hold }: AgentExchange): Promise<void> {
    try {
      const read = body ? readMessage(body.toString()) : { message: undefined, text: '' }
      if ('fault' in read) {
        await new WebExchange(request, response).answer(read.fault)
        return
      }
      const { message, text } = read
      const door = this.#doorOf(agent.agentId)
      const taken = body && door.takeRaw({ agent, request, response, hold, message, text })
      if (taken) await taken
      else {
        const exchange = new WebExchange(request, response)
        await door.serve(agent, { exchange, hold, message, text })
      }
    } catch (error) {
      this.#core.onFault(error)
      response.destroy()
    }
  }

  /** What agents are shown may be another. */
  changed(): void {
    this.#telling.call()
  }

  /** Ends all that an agent has under way: it was removed, or its key is void. */
  closeAgent(agentId: string): void {
    this.#doors.get(agentId)?.[Symbol.dispose]()
    this.#doors.delete(agentId)
  }

  /** Ends all that agents have under way. */
  close(): void {
    this.#telling[Symbol.dispose]()
    for (const agentId of [...this.#doors.keys()]) this.closeAgent(agentId)
    this.#core[Symbol.dispose]()
  }

  #doorOf(agentId: string): AgentDoor {
    const door = this.#doors.get(agentId) ?? new AgentDoor(agentId, this.#core)
    this.#doors.set(agentId, door)
    return door
  }
}

type Read = { readonly message: unknown; readonly text: string } | { readonly fault: Response }

/** A message with its text. Of batches (MCP 2025-03-26) one with a single message is that message; more requests would be one for every limit. */
function readMessage(text: string): Read {
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { fault: refusal(CODES.parseError, `Parse error: ${why}`) }
  }
  if (!Array.isArray(message) || !message.some(isRequest)) return normalized(message, text)
  if (message.length > 1)
    return { fault: refusal(CODES.invalidRequest, 'Send each request by itself.') }
  return normalized(message[0], text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')))
}

/** Without parameters that are none, and with ids that survive. */
function normalized(message: unknown, text: string): Read {
  if (!isJsonObject(message)) return { message, text }
  return { message: markIds(withoutEmptyParams(message), text), text }
}

/** Agents write null, or an empty list, for parameters that are absent (MCP takes objects only). */
function withoutEmptyParams(message: JsonObject): JsonObject {
  const { params, ...others } = message
  if (isEmpty(params)) return others
  if (!isJsonObject(params) || !OPTIONAL.some((key) => isEmpty(params[key]))) return message
  const left = Object.entries(params).filter(
    ([key, value]) => !OPTIONAL.includes(key) || !isEmpty(value),
  )
  return { ...others, params: Object.fromEntries(left) }
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

function isRequest(message: unknown): boolean {
  return isJsonObject(message) && 'method' in message && 'id' in message
}

function refusal(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 })
}
