import { addAbortListener } from 'node:events'

import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { ElicitResult } from '../../mcp/elicitation/elicitation'
import { readRoots, type Root } from '../../mcp/elicitation/roots'
import { CODES, RequestError } from '../calls/request-error'
import type { AgentMessage } from './agent-message'
import type { HttpAnswer } from './http-answer'
import type { AppAbilities } from './session-ids'

/** Time limit for the app's response with its folders, in ms. */
export const ROOTS_MS = 10_000
const NO_RESPONSE = 'The agent disconnected, or did not respond.'

/** Requests of servers and Patchbay to the app of one session, on the streams of its calls. */
export class ClientRequests {
  readonly #pending = new Map<string, PromiseWithResolvers<unknown>>()
  #lastId = 0

  constructor(private readonly abilities: AppAbilities) {}

  get canElicit(): boolean {
    return this.abilities.form || this.abilities.url
  }

  /** Resolves to the answer of the app's user. Rejects with a `RequestError` if the app can't ask or fails. */
  async elicit(answer: HttpAnswer, params: JsonObject, signal: AbortSignal): Promise<ElicitResult> {
    if (!this.abilities[params.mode === 'url' ? 'url' : 'form'])
      throw new RequestError(CODES.failed, 'The agent does not support this kind of request.')
    const { data } = ElicitResult.safeParse(
      await this.#send([answer], 'elicitation/create', params, signal),
    )
    if (data) return data
    throw new RequestError(CODES.failed, 'The response is not a valid elicitation result.')
  }

  /** Resolves to the folders that the app has open; uses the first stream that accepts the request. Rejects if the app doesn't answer. */
  async roots(streams: readonly HttpAnswer[]): Promise<Root[]> {
    return readRoots(await this.#send(streams, 'roots/list', {}, AbortSignal.timeout(ROOTS_MS)))
  }

  respond({ id, result, error }: Extract<AgentMessage, { kind: 'response' }>): void {
    const pending = this.#pending.get(String(id))
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(new RequestError(CODES.failed, 'The agent sent an error.', error))
  }

  end(): void {
    for (const { reject } of this.#pending.values()) reject(new Error('The session ended.'))
  }

  async #send(
    streams: readonly HttpAnswer[],
    method: string,
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<unknown> {
    this.#lastId += 1
    const id = `${method.slice(0, method.indexOf('/'))}-${this.#lastId}`
    const response = Promise.withResolvers<unknown>()
    const giveUp = (): void => response.reject(new RequestError(CODES.failed, NO_RESPONSE))
    this.#pending.set(id, response)
    using _abortListener = addAbortListener(signal, giveUp)
    const stream = signal.aborted
      ? undefined
      : streams.find((one) => one.request(id, method, params))
    if (stream) stream.onClose(giveUp)
    else giveUp()
    try {
      return await response.promise
    } finally {
      this.#pending.delete(id)
    }
  }
}
