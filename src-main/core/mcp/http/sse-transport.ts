/* oxlint-disable typescript/no-deprecated -- the protocol gives it up, and C10 promises it: servers that know no other are about */
import {
  type JSONRPCMessage,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  type SSEClientTransportOptions,
  SseError,
  type Transport,
} from '@modelcontextprotocol/client'

import { AppError } from '../../../../src-shared/domain/app-error'

/** The longest wait for the event that names the endpoint, in ms (C10). */
const ENDPOINT_MS = 30_000

/** MCP's older HTTP transport, HTTP+SSE of 2024-11-05 (C10): its stream is the connection, and ends with it. */
export class SseTransport implements Transport {
  onmessage: Transport['onmessage']
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  readonly #inner: SSEClientTransport
  readonly #host: string
  readonly #endpointMs: number
  #isOpen = false

  constructor(
    url: URL,
    {
      endpointMs = ENDPOINT_MS,
      ...options
    }: Pick<SSEClientTransportOptions, 'fetch' | 'authProvider'> & {
      readonly endpointMs?: number
    },
  ) {
    this.#inner = new SSEClientTransport(url, options)
    this.#host = url.host
    this.#endpointMs = endpointMs
    this.#inner.onmessage = (message) => this.onmessage?.(message)
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.#onError(error)
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version)
  }

  /** Rejects with REMOTE_UNREACHABLE or REMOTE_FAILED where no endpoint is named that can be used, else with the SDK's error. */
  async start(): Promise<void> {
    const limit = Promise.withResolvers<never>()
    const timer = setTimeout(() => limit.reject(this.#lateError()), this.#endpointMs)
    try {
      await Promise.race([this.#inner.start(), limit.promise])
      this.#isOpen = true
    } catch (error) {
      throw isElsewhere(error) ? this.#elsewhereError(error) : error
    } finally {
      clearTimeout(timer)
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#inner.send(message)
    } catch (error) {
      throw refusalOf(error) ?? error
    }
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  /** Left to itself the stream would begin again, as one of another session that nobody has shaken hands in. */
  #onError(error: Error): void {
    this.onerror?.(error)
    if (this.#isOpen && error instanceof SseError) void this.#inner.close()
  }

  #lateError(): AppError {
    const limit = String(this.#endpointMs / 1_000)
    return new AppError(
      'REMOTE_UNREACHABLE',
      `${this.#host} named no endpoint within ${limit} s, as the older transport begins.`,
      { hint: 'It is down or very busy.' },
    )
  }

  #elsewhereError(cause: unknown): AppError {
    return new AppError(
      'REMOTE_FAILED',
      `${this.#host} names an endpoint at another address, which is not used.`,
      {
        cause,
        hint: 'What was typed for this server goes to no other. Tell its makers, or set its new address.',
      },
    )
  }
}

/** The SDK has no class for an endpoint of another origin. */
function isElsewhere(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('Endpoint origin')
}

/** The SDK tells the status of a refused message as text only. */
function refusalOf(error: unknown): SdkHttpError | undefined {
  if (!(error instanceof Error)) return undefined
  const found = /^Error POSTing to endpoint \(HTTP (\d{3})\): ([^]*)$/u.exec(error.message)
  if (!found) return undefined
  const [, status, text] = found
  return new SdkHttpError(
    SdkErrorCode.ClientHttpNotImplemented,
    error.message,
    { status: Number(status), text },
    { cause: error },
  )
}
