import type { IncomingMessage, ServerResponse } from 'node:http'

import { type Change, EventQueue } from './event-queue'
import { hasMarks, unmarkIds } from './exact-ids'

const ADDRESS = 'http://127.0.0.1/mcp'
const EVENTS = 'text/event-stream'
const BOTH = `application/json, ${EVENTS}`

/** One request over `node:http` as the SDK takes it, and the way of its answer back. */
export class WebExchange {
  /** Without its body, which is handed on parsed. */
  readonly request: Request
  readonly #response: ServerResponse
  readonly #left = new AbortController()
  readonly #queue = new EventQueue()

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#response = response
    response.once('close', () => {
      if (!response.writableFinished) this.#left.abort()
    })
    if (response.destroyed) this.#left.abort()
    const { method = 'GET' } = request
    const headers = headersOf(request)
    this.request = new Request(ADDRESS, { method, headers, signal: this.#left.signal })
  }

  /** Changes that its reader was not told of yet. */
  get untold(): readonly Change[] {
    return [...this.#queue.changes()]
  }

  /** Whether there is no room for a message of a log with these parameters, which is counted then. */
  leavesOut(params: Readonly<Record<string, unknown>>): boolean {
    if (!this.#queue.leavesOutLogs) return false
    this.#queue.leaveOut(params)
    return true
  }

  /** Sends an answer; settles when it is sent, or nobody wants it any more. */
  async answer(answer: Response): Promise<void> {
    const { body, status, headers } = answer
    if (this.#left.signal.aborted) {
      await body?.cancel()
      return
    }
    this.#response.writeHead(status, Object.fromEntries(headers))
    if (body && headers.get('content-type')?.startsWith(EVENTS)) await this.#sendEvents(body)
    else if (answer.body) this.#response.write(withIds(Buffer.from(await answer.arrayBuffer())))
    this.#response.end()
  }

  /** Ends it at once, with the connection below. */
  cut(): void {
    this.#response.destroy()
  }

  /** Takes each event as it comes, for the stream of the SDK has no bound; what cannot be sent yet waits in the queue. */
  async #sendEvents(body: ReadableStream<Uint8Array>): Promise<void> {
    const { signal } = this.#left
    // A stream may be silent at first.
    this.#response.flushHeaders()
    const reader = body.getReader()
    const leave = (): void => void reader.cancel().catch(() => undefined) // it has ended by itself
    signal.addEventListener('abort', leave, { once: true })
    const sending = new Sending(this.#response, this.#queue)
    for (;;) {
      const { done, value } = await reader.read()
      if (signal.aborted) return
      if (done) break
      if (!sending.send(withIds(value))) this.cut()
    }
    await sending.sent(signal)
  }
}

/** Writes as fast as the other side reads. */
class Sending {
  #isClogged = false
  #onEmpty: (() => void) | undefined

  constructor(
    private readonly response: ServerResponse,
    private readonly queue: EventQueue,
  ) {
    response.on('drain', () => this.#goOn())
  }

  /** False where more waits than may. */
  send(event: Uint8Array): boolean {
    if (this.#isClogged) return this.queue.push(event)
    this.#isClogged = !this.response.write(event)
    return true
  }

  /** Settles when nothing waits, or nobody is there. */
  async sent(left: AbortSignal): Promise<void> {
    if (this.queue.isEmpty || left.aborted) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#onEmpty = () => resolve(undefined)
    left.addEventListener('abort', this.#onEmpty, { once: true })
    await promise
  }

  #goOn(): void {
    this.#isClogged = false
    while (!this.#isClogged) {
      const next = this.queue.shift()
      if (!next) break
      this.#isClogged = !this.response.write(next)
    }
    if (this.queue.isEmpty) this.#onEmpty?.()
  }
}

/** The SDK writes each event in one piece, so that no id is cut. */
function withIds(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  return hasMarks(bytes) ? Buffer.from(unmarkIds(bytes.toString())) : json
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headersDistinct))
    for (const one of value ?? []) headers.append(name, one)
  headers.set('accept', acceptOf(request))
  return headers
}

/** What an agent accepts, as MCP wants it written: without the header, or with a range of all types, it takes both forms (RFC 9110, 12.5.1). */
export function acceptOf({ headers: { accept } }: Pick<IncomingMessage, 'headers'>): string {
  return accept === undefined || accept.includes('*/*') ? BOTH : accept
}
