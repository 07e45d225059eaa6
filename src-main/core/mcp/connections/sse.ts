import { AppError } from '../../../../src-shared/domain/app-error'
import { HttpStatusError, NotMcpError } from '../../failure/remote-failure'
import { within } from '../../lifecycle/time-limit'
import type { JsonObject } from '../json/json-rpc'
import type { EventFields } from './event-reader'
import { HttpConnection, type HttpConnectionOptions, type RemoteSpec } from './http-connection'
import { isEventStream } from './remote-fetch'

/** The longest wait for the event that names the endpoint, in ms (C10). */
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

  /** Nothing of a request is left to be ended: all answers come on one stream. */
  abandon(): void {
    return undefined
  }

  /** Rejects with REMOTE_UNREACHABLE or REMOTE_FAILED where no endpoint is named that can be used. */
  open(): Promise<void> {
    return within(this.endpointMs, this.#openStream(), () => {
      throw new AppError(
        'REMOTE_UNREACHABLE',
        `${this.url.host} sent no endpoint event within ${this.endpointMs / 1_000} s.`,
        { hint: 'The server may be down or busy. Try again later.' },
      )
    })
  }

  protected async deliver(message: JsonObject, text: string): Promise<void> {
    const headers = {
      'content-type': 'application/json',
      ...(this.version !== undefined && { 'mcp-protocol-version': this.version }),
    }
    const request = { method: 'POST', headers, body: text, signal: this.over.signal } as const
    try {
      const response = await this.send(request, this.#endpoint)
      await response.body?.cancel()
      this.#hasTaken = true
    } catch (error) {
      throw message.method === 'initialize' ? this.#endpointError(error) : error
    }
  }

  protected sayFarewell(): Promise<void> {
    return Promise.resolve()
  }

  async #openStream(): Promise<void> {
    const { signal } = this.over
    const headers = { accept: 'text/event-stream' }
    const response = await this.send({ method: 'GET', headers, signal })
    if (!isEventStream(response)) {
      await response.body?.cancel()
      throw new NotMcpError(response.headers.get('content-type'))
    }
    void this.#readStream(response)
    await this.#opened.promise
  }

  /** A stream that ends is not opened again: the next one would be another session, without a handshake. */
  async #readStream(response: Response): Promise<void> {
    const data = (bytes: Buffer, { event = '' }: EventFields): void => {
      if (event === 'endpoint') this.#setEndpoint(bytes.toString().trim())
      else if ((event === '' || event === 'message') && !this.receiver.read(bytes))
        this.receiver.report('malformedMessages', 'A server-sent event is not a JSON-RPC message.')
    }
    try {
      await this.readEvents(response, { data })
    } catch (error) {
      if (!this.over.signal.aborted) this.receiver.warn(error)
    }
    this.#opened.reject(this.endReason('before a response arrived'))
    await this.close()
  }

  #setEndpoint(text: string): void {
    const address = /^https?%3a/iu.test(text) ? decodeURIComponent(text) : text
    const named = URL.canParse(address, this.url.href) ? new URL(address, this.url) : undefined
    const endpoint = named && this.#reachable(named)
    if (endpoint) {
      this.#endpoint ??= endpoint
      this.#opened.resolve(undefined)
      return
    }
    this.#opened.reject(
      new AppError(
        'REMOTE_FAILED',
        `${this.url.href} names an endpoint at another address, which Patchbay doesn’t use: ${named?.href ?? text.slice(0, 200)}`,
        {
          hint: 'Your headers are sent only to this server. Enter the new URL, or report the fault to the server’s authors.',
        },
      ),
    )
  }

  /** The endpoint at the server's own origin, of which all names of this computer are one; undefined elsewhere. */
  #reachable(named: URL): URL | undefined {
    if (named.origin === this.url.origin) return named
    const isHere =
      LOOPBACK.test(named.hostname) &&
      LOOPBACK.test(this.url.hostname) &&
      named.port === this.url.port &&
      named.protocol === this.url.protocol
    if (!isHere) return undefined
    const here = new URL(named)
    here.host = this.url.host
    return here
  }

  /** A first message that is not taken says that the endpoint is wrong. */
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
