import {
  Client,
  type FetchLike,
  ProtocolError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Agent, fetch as fetchOver } from 'undici'
import * as z from 'zod'

import type { AgentLink, LinkAnswer, LinkCall } from './agent-link'

/** The soak itself waits for answers, longer than any server may take. */
const NO_LIMIT_MS = 2 ** 31 - 1
const Whatever = z.record(z.string(), z.unknown())

/** Connects with the SDK's client in the pinned version, or with a session without a pin. */
export async function connectSdk(url: string, key: string, pin?: string): Promise<AgentLink> {
  const link = new SdkLink(url, key, pin)
  await link.connect()
  return link
}

class SdkLink implements AgentLink {
  extraAnswers = 0
  readonly #client: Client
  readonly #transport: StreamableHTTPClientTransport
  /** Separate connections, like those of an app. */
  readonly #connections = new Agent()
  readonly #answered = new Set<unknown>()

  constructor(url: string, key: string, pin: string | undefined) {
    this.#client = new Client(
      { name: `soak-sdk-${pin ?? 'sessions'}`, version: '1' },
      { versionNegotiation: { mode: pin === undefined ? 'legacy' : { pin } } },
    )
    this.#transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      fetch: this.#fetch,
    })
  }

  readonly #fetch: FetchLike = async (input, init) => {
    const options = { ...init, dispatcher: this.#connections } as Parameters<typeof fetchOver>[1]
    const response: unknown = await fetchOver(input, options)
    return response as Response
  }

  async connect(): Promise<void> {
    await this.#client.connect(this.#transport)
    const { onmessage } = this.#transport
    this.#transport.onmessage = (message) => {
      if ('id' in message && !('method' in message)) {
        if (this.#answered.has(message.id)) this.extraAnswers += 1
        this.#answered.add(message.id)
      }
      onmessage?.(message)
    }
  }

  async call({ tool, args, onProgress, signal }: LinkCall): Promise<LinkAnswer> {
    const request = { method: 'tools/call', params: { name: tool, arguments: args } }
    try {
      const result = await this.#client.request(request as never, Whatever, {
        timeout: NO_LIMIT_MS,
        ...(signal && { signal }),
        ...(onProgress && { onprogress: ({ message = '' }) => onProgress(message) }),
      })
      return { kind: 'result', result }
    } catch (error) {
      if (signal?.aborted) return { kind: 'cancelled' }
      if (!(error instanceof ProtocolError)) throw error
      const data = error.data as { code?: string } | undefined
      return { kind: 'error', message: error.message, data }
    }
  }

  async close(): Promise<void> {
    if (this.#transport.sessionId !== undefined) await this.#transport.terminateSession()
    await this.vanish()
  }

  async vanish(): Promise<void> {
    await this.#connections.destroy()
    await this.#client.close()
  }
}
