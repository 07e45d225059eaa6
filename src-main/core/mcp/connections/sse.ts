import { AppError } from '../../../../src-shared/domain/app-error'
import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { HttpStatusError, NotMcpError } from '../../failure/remote-failure'
import { within } from '../../lifecycle/time-limit'
import { HttpConnection, type HttpConnectionOptions, type RemoteSpec } from './http-connection'
import { isEventStream } from './remote-fetch'

/** Time limit for the event that names the endpoint, in ms (C10). */
const ENDPOINT_MS = 30_000
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/u

/** MCP's older HTTP transport, HTTP+SSE of 2024-11-05 (C10): its stream is the connection, and ends with it. */
export class SseConnection extends HttpConnection {
  readonly hasRequestStreams = false
  readonly #opened = Promise.withResolvers<undefined>()
  #endpoint: URL | undefined
  #hasTaken = false

  constructor(
    spec: Omit<RemoteSpec, 'transport'>,
    options: HttpConnectionOptions,
    private readonly endpointMs = ENDPOINT_MS,
  ) {
    super(spec, options)
  }

  abandon(): void {
    // All responses come on one stream.
  }

  /** Opens the stream; rejects with REMOTE_UNREACHABLE or REMOTE_FAILED without a usable endpoint. */
  open(): Promise<void> {
    return within(this.endpointMs, this.#openStream(), () => {
      throw new AppError(
        'REMOTE_UNREACHABLE',
        `${this.url.host} sent no endpoint event within ${this.endpointMs / 1_000} s.`,
        { hint: 'The server may be down or busy. Try again later.' },
      )
    })
  }

  protected async deliver(message: JsonObject, body: string): Promise<void> {
    const version = this.version !== undefined && { 'mcp-protocol-version': this.version }
    const headers = { 'content-type': 'application/json', ...version }
    try {
      const response = await this.send('POST', headers, { body, address: this.#endpoint })
      await response.body?.cancel()
      this.#hasTaken = true
    } catch (error) {
      throw message.method === 'initialize' ? this.#endpointError(error) : error
    }
  }

  protected endSession(): Promise<void> {
    return Promise.resolve()
  }

  async #openStream(): Promise<void> {
    const response = await this.send('GET', { accept: 'text/event-stream' })
    if (!isEventStream(response)) {
      await response.body?.cancel()
      throw new NotMcpError(response.headers.get('content-type'))
    }
    void this.#readStream(response)
    await this.#opened.promise
  }

  /** Reads the stream, and doesn't reopen one that ends: the next one would be another session without a handshake. */
  async #readStream(response: Response): Promise<void> {
    try {
      for await (const event of this.events(response))
        if (event.event === 'endpoint') this.#setEndpoint(event.data?.toString().trim() ?? '')
        else this.acceptEvent(event)
    } catch (error) {
      if (!this.over.signal.aborted) this.receiver.warn(error)
    }
    this.#opened.reject(this.endReason('start'))
    await this.close()
  }

  #setEndpoint(text: string): void {
    const address = /^https?%3a/iu.test(text) ? decodeURIComponent(text) : text
    const named = URL.canParse(address, this.url.href) ? new URL(address, this.url) : undefined
    if (named && this.#isReachable(named)) {
      named.host = this.url.host
      this.#endpoint ??= named
      this.#opened.resolve(undefined)
      return
    }
    const message = `${this.url.href} names an endpoint at another address, which Patchbay doesn’t use: ${named?.href ?? text.slice(0, 200)}`
    const hint =
      'Your headers are sent only to this server. Enter the new URL, or report the fault to the server’s authors.'
    this.#opened.reject(new AppError('REMOTE_FAILED', message, { hint }))
  }

  /** Whether an endpoint has the server's own origin; all names of this computer count as one. */
  #isReachable({ hostname, port, protocol, origin }: URL): boolean {
    if (origin === this.url.origin) return true
    const isHere = LOOPBACK.test(hostname) && LOOPBACK.test(this.url.hostname)
    return isHere && port === this.url.port && protocol === this.url.protocol
  }

  /** Returns the error of a rejected first message: the endpoint is wrong. */
  #endpointError(error: unknown): unknown {
    if (this.#hasTaken || !(error instanceof HttpStatusError) || error.status >= 500) return error
    if (error.status === 401 || error.status === 403) return error
    const message = `${this.url.href} names the endpoint ${this.#endpoint?.href ?? 'no endpoint'}, which rejected the first message (${error.status}).`
    return new AppError('REMOTE_REFUSED', message, {
      cause: error,
      hint: 'Check the URL. A server behind a proxy may not know its public path.',
    })
  }
}
