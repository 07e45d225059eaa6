import type { JsonObject } from '../json/json-rpc'

export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
const INTERNAL_ERROR = -32_603

/** A request of the server. */
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

/** Answers the requests of a server: a ping itself, all others through a handler once the handshake is done. */
export class IncomingRequests implements Disposable {
  readonly #running = new Map<string | number, AbortController>()
  /** Before the handshake a server may ping and nothing else (MCP, lifecycle). */
  isOpen = false

  constructor(
    private readonly handle: (request: IncomingRequest) => Promise<JsonObject>,
    private readonly post: (message: JsonObject, onDone: (error?: unknown) => void) => void,
  ) {}

  answer(request: Omit<IncomingRequest, 'signal'> & { readonly id: string | number }): void {
    const { id, method } = request
    if (method === 'ping') this.#send({ id, result: {} })
    else if (this.isOpen) void this.#handle(request)
    else {
      const message = `${method} is not available before initialize`
      this.#send({ id, error: { code: METHOD_NOT_FOUND, message } })
    }
  }

  /** The server gives up a request of its own; false where none is under way by this id. */
  cancel(id: unknown): boolean {
    const controller = this.#running.get(id as string | number)
    controller?.abort()
    return controller !== undefined
  }

  [Symbol.dispose](): void {
    for (const controller of this.#running.values()) controller.abort()
  }

  async #handle({
    id,
    ...request
  }: Omit<IncomingRequest, 'signal'> & { readonly id: string | number }): Promise<void> {
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const result = await this.handle({ ...request, signal: controller.signal })
      if (!controller.signal.aborted) this.#send({ id, result })
    } catch (error) {
      const { code } = error instanceof ResponseError ? error : { code: INTERNAL_ERROR }
      const message = error instanceof Error ? error.message : String(error)
      if (!controller.signal.aborted) this.#send({ id, error: { code, message } })
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id)
    }
  }

  /** What can't be sent is lost with its connection, which says so itself. */
  #send(answer: JsonObject): void {
    this.post({ jsonrpc: '2.0', ...answer }, () => undefined)
  }
}
