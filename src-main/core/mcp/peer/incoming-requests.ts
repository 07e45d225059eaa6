import { cutProse } from '../../failure/describe-failure'
import { isObject } from '../json/is-object'
import type { JsonObject } from '../json/json-rpc'
import { normalizeParams } from '../json/schemas'
import type { OnFault } from './connection'
import { shown } from './pending-requests'

const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603
const MAX_SHOWN = 100

type Id = string | number

export type IncomingRequest = {
  readonly method: string
  readonly params: JsonObject
  /** Aborted when the server gives it up, or the connection is gone. */
  readonly signal: AbortSignal
}

/** Why a request of the server is not answered, with its JSON-RPC code: the server gets both. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError'

  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** Answers the requests of a server: a ping always, all others through a handler once the handshake is done. */
export class IncomingRequests implements Disposable {
  readonly #running = new Map<unknown, AbortController>()
  /** Before the handshake a server may ping and nothing else (MCP, lifecycle). */
  isOpen = false

  /** `onRequest` rejects with a `ResponseError` for a request that is not answered. */
  constructor(
    private readonly onRequest: (request: IncomingRequest) => Promise<JsonObject>,
    private readonly onFault: OnFault,
    private readonly post: (message: JsonObject) => void,
  ) {}

  /** Takes a request or a notification; returns the parameters of a notification that is not about requests. */
  take(method: string, message: JsonObject): JsonObject | undefined {
    const { params, repairs } = normalizeParams(method, message.params)
    reportRepairs(this.onFault, method, repairs)
    const isRequest = 'id' in message
    const id = idOf(message)
    const read = paramsOf(params)
    if (!read || (isRequest && id === undefined)) {
      const kind = isRequest ? 'request' : 'notification'
      this.onFault('malformedMessages', `Invalid ${kind} (${shown(method)}).`)
      // A request with an id is answered in any case, so that no server waits.
      if (id !== undefined) this.reject(id, INVALID_REQUEST, 'Invalid request')
      return undefined
    }
    if (id === undefined) {
      const own = method === 'notifications/cancelled' && this.#running.get(read.requestId)
      if (own) own.abort()
      return own ? undefined : read
    }
    if (method === 'ping') this.#send({ id, result: {} })
    else if (this.isOpen) void this.#handle(id, { method, params: read })
    else this.reject(id, METHOD_NOT_FOUND, `${method} is not available before initialize`)
    return undefined
  }

  reject(id: Id, code: number, message: string): void {
    this.#send({ id, error: { code, message } })
  }

  [Symbol.dispose](): void {
    for (const controller of this.#running.values()) controller.abort()
  }

  async #handle(id: Id, request: Omit<IncomingRequest, 'signal'>): Promise<void> {
    const controller = new AbortController()
    const { signal } = controller
    this.#running.set(id, controller)
    try {
      const result = await this.onRequest({ ...request, signal })
      if (!signal.aborted) this.#send({ id, result })
    } catch (error) {
      const { code } = error instanceof ResponseError ? error : { code: INTERNAL_ERROR }
      const message = error instanceof Error ? error.message : String(error)
      if (!signal.aborted) this.reject(id, code, message)
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id)
    }
  }

  #send(answer: JsonObject): void {
    this.post({ jsonrpc: '2.0', ...answer })
  }
}

export function reportRepairs(onFault: OnFault, method: string, repairs: readonly string[]): void {
  for (const repair of repairs)
    onFault('repairs', `Repaired in ${cutProse(method, MAX_SHOWN)}: ${repair}.`)
}

function idOf({ id }: JsonObject): Id | undefined {
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : undefined
}

/** Parameters as MCP has them, an object; undefined for others. */
function paramsOf(params: unknown): JsonObject | undefined {
  if (params === undefined) return {}
  const isFit = isObject(params) && (params._meta === undefined || isObject(params._meta))
  return isFit ? params : undefined
}
