import {
  type FetchLike,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/client'

import type { EraDoubt } from '../connection/session-line'
import { isDiscovery } from '../messages/pending-requests'

const SERVER_FAULT = 500
const BAD_REQUEST = 400

/**
 * The question for the era as an HTTP connection begins (`server/discover`, MCP 2026-07-28). Older servers meet it with
 * whatever they do with what they do not know: a fault of theirs (5xx), a 2xx without an answer, a cut connection. For
 * the SDK all of these are the end; here they count as "no", so that the older handshake is tried.
 */
export class EraQuestion {
  /** Nothing else was sent yet. */
  #isOpen = true
  #isAsked = false
  #doubt: EraDoubt | undefined

  get doubt(): EraDoubt | undefined {
    return this.#doubt
  }

  /** The same `fetch`, except the answers to that question. */
  over(fetch: FetchLike): FetchLike {
    return async (input, init) => {
      const headers = new Headers(init?.headers)
      const isQuestion = headers.get('mcp-method') === 'server/discover'
      // Requests for tokens go the same way.
      const isMessage =
        init?.method === 'POST' && headers.get('accept')?.includes('text/event-stream') === true
      if (isMessage && !isQuestion) this.#goOn()
      return isQuestion && this.#isOpen ? this.#ask(() => fetch(input, init)) : fetch(input, init)
    }
  }

  /** The handshake begins, be it without an answer. */
  #goOn(): void {
    this.#isOpen = false
    if (this.#isAsked) this.#doubt = 'silent'
  }

  async #ask(send: () => Promise<Response>): Promise<Response> {
    this.#isAsked = true
    try {
      const response = await send()
      this.#doubt = undefined
      return await this.#judge(response)
    } catch (error) {
      if (!isCut(error)) throw error
      return this.#no()
    } finally {
      this.#isAsked = false
    }
  }

  async #judge(response: Response): Promise<Response> {
    if (!response.ok) {
      if (response.status < SERVER_FAULT) return response
      await response.body?.cancel()
      return this.#no()
    }
    const type = response.headers.get('content-type') ?? ''
    if (/^text\/event-stream\b/i.test(type)) return this.#yes(response)
    const text = await response.text()
    const answer = /^application\/json\b/i.test(type) ? messageIn(text) : undefined
    if (!answer) return this.#no()
    const { status, headers, url } = response
    const again = Object.defineProperty(new Response(text, { status, headers }), 'url', {
      value: url,
    })
    return isJSONRPCResultResponse(answer) && isDiscovery(answer.result) ? this.#yes(again) : again
  }

  #no(): Response {
    this.#doubt = this.#isOpen ? 'failed' : undefined
    return new Response(null, { status: BAD_REQUEST })
  }

  #yes(response: Response): Response {
    if (!this.#isOpen) this.#doubt = 'late'
    return response
  }
}

const CUT: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Whether a connection was there and was cut, as by a server that ends on what it does not know. */
export function isCut(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : {}
  return CUT.includes((cause as { code?: unknown } | null | undefined)?.code)
}

/** The answer that a text is; undefined where it is none. */
function messageIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value) ? value : undefined
  } catch {
    return undefined // no JSON
  }
}
