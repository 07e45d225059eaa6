import { randomUUID } from 'node:crypto'
import { addAbortListener } from 'node:events'

import type { JsonObject } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { type CallAsker, ElicitResult } from '../../mcp/elicitation/elicitation'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { AgentRequest, Caller } from '../calls/agent-request'
import type { RequestHandler } from '../calls/handle'
import { CODES, RequestError } from '../calls/request-error'

type Params = Parameters<NonNullable<CallAsker['elicit']>>[0]
type Elicitation = { readonly params: Params; readonly settle: (result: ElicitResult) => void }

const MAX_NAME = 200

/**
 * A stateless request that goes on at its server while the agent, whose request is answered, asks its user (MCP
 * 2026-07-28, multi round-trip requests).
 */
export class HeldCall {
  /** Gets the progress of the call in this round. */
  onProgress: Caller['onProgress']
  #state = randomUUID()
  readonly #elicitations = new Map<string, Elicitation>()
  readonly #given: Map<string, unknown>
  readonly #over = new AbortController()
  readonly #result: Promise<ResultText>
  #elicited = Promise.withResolvers<undefined>()

  /** `given`: what the agent's user answered already, by the names of the elicitations that the server may send. */
  constructor(
    readonly request: AgentRequest,
    caller: Caller,
    given: JsonObject,
    handler: RequestHandler,
  ) {
    this.#given = new Map(Object.entries(given))
    this.onProgress = caller.onProgress
    this.#result = handler.handle(request, {
      ...caller,
      signal: this.#over.signal,
      asker: {
        agent: caller.agent.name,
        session: caller.asker.session ?? this,
        elicit: (...elicitation) => this.#elicit(...elicitation),
      },
      onProgress: (progress) => this.onProgress?.(progress),
    })
    // Whoever waits for the next step gets the error.
    this.#result.catch(() => undefined)
  }

  /** Names the call to the agent until its next round; nobody can guess it. */
  get state(): string {
    return this.#state
  }

  /** The result, or requests to the user, with whose responses the agent sends its own again. With `signal` the agent left, and the call ends. */
  async next(signal: AbortSignal): Promise<{ isOver: boolean; result: ResultText }> {
    using _leaving = addAbortListener(signal, () => this.end())
    for (;;) {
      if (this.#elicitations.size > 0) return { isOver: false, result: this.#inputRequired() }
      this.#elicited = Promise.withResolvers()
      const result = await Promise.race([this.#result, this.#elicited.promise])
      if (result) return { isOver: true, result }
    }
  }

  /** Takes what the agent's user answered, by the names of the elicitations. */
  answer(answers: JsonObject): void {
    for (const [name, answer] of Object.entries(answers)) {
      const elicitation = this.#elicitations.get(name)
      if (!elicitation) continue
      const { data } = ElicitResult.safeParse(answer)
      if (!data)
        throw new RequestError(CODES.invalidParams, `${name} is not a valid elicitation result.`)
      this.#elicitations.delete(name)
      elicitation.settle(data)
    }
  }

  end(): void {
    this.#over.abort()
  }

  #inputRequired(): ResultText {
    this.#state = randomUUID()
    const requests = [...this.#elicitations].map(([name, { params }]) => {
      return [name, { method: 'elicitation/create', params }] as const
    })
    return writtenResult({
      resultType: 'input_required',
      inputRequests: Object.fromEntries(requests),
      requestState: this.#state,
    })
  }

  async #elicit(params: Params, signal: AbortSignal, own = ''): Promise<ElicitResult> {
    const isNamed = own !== '' && own.length <= MAX_NAME && !this.#elicitations.has(own)
    const name = isNamed ? own : randomUUID()
    const known = ElicitResult.safeParse(this.#given.get(name)).data
    // A server that asks for the same again did not take the first answer.
    this.#given.delete(name)
    if (known) return known
    const { promise, resolve, reject } = Promise.withResolvers<ElicitResult>()
    using _giving = addAbortListener(AbortSignal.any([signal, this.#over.signal]), () =>
      reject(new RequestError(CODES.failed, 'The request timed out without an answer.')),
    )
    this.#elicitations.set(name, { params, settle: resolve })
    this.#elicited.resolve(undefined)
    try {
      return await promise
    } finally {
      this.#elicitations.delete(name)
    }
  }
}
