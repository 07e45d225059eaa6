import type { Client } from '@modelcontextprotocol/client'

import type { Tool } from '../../../src-shared/domain/agents/capability'
import type { AppError } from '../../../src-shared/domain/app-error'
import type { SessionLine } from './connection/session-line'
import type { OpenCall } from './elicitation/open-calls'
import type { SessionAsks } from './elicitation/session-asks'
import type { ToolHeaders } from './http/headers/tool-headers'
import { type ResultText, writtenResult } from './json/result-text'
import type { SessionNews } from './notifications'
import type { RequestLimits } from './peer/request-deadline'
import { isBrokenLine } from './peer/request-failure'
import { type RequestOptions, sendRequest } from './send-request'
import { sendTextRequest } from './send-text-request'

export type SessionCallsParts = {
  readonly client: Client
  readonly line: Pick<SessionLine, 'own' | 'explain'>
  readonly headers: ToolHeaders
  /** Answers what the server asks for a request. */
  readonly asks: SessionAsks
  readonly news: Pick<SessionNews, 'withLevel'>
  /** As they are listed now. */
  readonly tools: () => readonly Tool[]
  /** Deadline of a request that sets none, and the longest that any may take, in ms. */
  readonly limits: RequestLimits
  /** How the server ended; `when` completes the sentence. */
  readonly endedError: (when: string) => Promise<AppError>
}

type SendOptions = RequestOptions & RequestLimits & { readonly call: OpenCall }

/** The requests of one session, each with its limits and with failures in Patchbay's words. */
export class SessionCalls {
  constructor(private readonly parts: SessionCallsParts) {}

  /** See `ServerSession.request`. */
  send(method: string, params: Record<string, unknown>, options: RequestOptions): Promise<unknown> {
    const { client, headers, line, tools } = this.parts
    return this.#answered(method, params, options, (next, limited) =>
      sendRequest(client, method, next, {
        ...limited,
        headers: headers.of(method, next, tools()),
        explain: (error) => line.explain(error),
      }),
    )
  }

  /** See `ServerSession.requestText`. */
  sendText(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<ResultText> {
    const { own } = this.parts.line
    // What the newer era adds to requests and takes off results is the SDK's to know.
    if (!own || this.parts.client.getProtocolEra() !== 'legacy')
      return this.send(method, params, options).then(writtenResult)
    return this.#answered(method, params, options, (next, limited) =>
      sendTextRequest(own, method, next, limited),
    )
  }

  async #answered<T>(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
    send: (params: Record<string, unknown>, options: SendOptions) => Promise<T>,
  ): Promise<T> {
    const { asks, endedError, limits, news } = this.parts
    const { asker, signal, timeoutMs = limits.timeoutMs } = options
    const maxTotalMs = Math.max(options.maxTotalMs ?? limits.maxTotalMs, timeoutMs)
    try {
      return await asks.during(
        { method, params: news.withLevel(params), asker, signal, timeoutMs, maxTotalMs },
        (next, left, call) => {
          const { timeoutMs, maxTotalMs } = left
          return send(next, { ...options, timeoutMs, maxTotalMs, call })
        },
      )
    } catch (error) {
      if (!isBrokenLine(error)) throw error
      throw await endedError(`while it worked on ${method}`)
    }
  }
}
