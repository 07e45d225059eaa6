import { addAbortListener } from 'node:events'

import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { ElicitResult } from '../../mcp/elicitation/elicitation'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentMessage } from './agent-message'
import type { HttpAnswer } from './http-answer'
import type { AppAbilities } from './session-ids'

/** What the servers of one session ask its app's user, on the streams of the calls that they work on. */
export class SessionElicitations {
  /** Requests to the agent that wait for its response. */
  readonly #waiting = new Map<string, PromiseWithResolvers<unknown>>()
  #lastId = 0

  constructor(private readonly abilities: AppAbilities) {}

  /** Whether the app can ask its user anything. */
  get isAble(): boolean {
    return this.abilities.form || this.abilities.url
  }

  /** Resolves to what the app's user answers. Rejects with a `RequestError` where the app can't ask, or fails. */
  async ask(answer: HttpAnswer, params: JsonObject, signal: AbortSignal): Promise<ElicitResult> {
    if (!this.abilities[params.mode === 'url' ? 'url' : 'form'])
      throw new RequestError(CODES.failed, 'The agent does not support this kind of request.')
    const { data } = ElicitResult.safeParse(await this.#send(answer, params, signal))
    if (data) return data
    throw new RequestError(CODES.failed, 'The response is not a valid elicitation result.')
  }

  respond({ id, result, error }: Extract<AgentMessage, { kind: 'response' }>): void {
    const waiting = this.#waiting.get(String(id))
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new RequestError(CODES.failed, 'The agent did not ask its user.', error))
  }

  /** The session is over. */
  end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('The session ended.'))
  }

  /** The result that the agent responds with to `elicitation/create`. */
  async #send(answer: HttpAnswer, params: JsonObject, signal: AbortSignal): Promise<unknown> {
    this.#lastId += 1
    const id = `elicitation-${this.#lastId}`
    const response = Promise.withResolvers<unknown>()
    const giveUp = (): void =>
      response.reject(new RequestError(CODES.failed, 'The agent disconnected.'))
    this.#waiting.set(id, response)
    using _giving = addAbortListener(signal, giveUp)
    answer.onClose(giveUp)
    if (signal.aborted || !answer.request(id, 'elicitation/create', params)) giveUp()
    try {
      return await response.promise
    } finally {
      this.#waiting.delete(id)
    }
  }
}
