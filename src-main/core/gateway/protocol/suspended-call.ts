import { randomUUID } from 'node:crypto'
import { addAbortListener } from 'node:events'

import type { JsonObject } from '../../../../src-shared/domain/json-object'
import { ElicitResult, type RequestOrigin } from '../../mcp/elicitation/elicitation'
import { readRoots, type Root } from '../../mcp/elicitation/roots'
import { type ResultText, writtenResult } from '../../mcp/json/result-text'
import type { AgentCalls } from '../calls/agent-calls'
import type { AgentRequest, Caller } from '../calls/agent-request'
import { CODES, RequestError } from '../calls/request-error'
import { ROOTS_MS } from './client-requests'

const MAX_NAME = 200

type ElicitArguments = Parameters<NonNullable<RequestOrigin['elicit']>>

/** Requests that an agent supports while its own request waits, by its capabilities. */
type Abilities = { readonly elicitation: boolean; readonly roots: boolean }

/** A request to the agent; its next round contains the response. */
type InputRequest = {
  readonly method: 'elicitation/create' | 'roots/list'
  readonly params: JsonObject
  /** Throws a `RequestError` if the response doesn't fit the method. */
  readonly accept: (response: unknown) => void
}

/**
 * A stateless request that continues at its server after its agent got a response, while the agent asks its user or reports its folders
 * (MCP 2026-07-28, multi round-trip requests).
 */
export class SuspendedCall {
  /** Gets the call's progress in this round. */
  onProgress: Caller['onProgress']
  /** Identifies the call until its next round; can't be guessed. */
  state = ''
  readonly #requests = new Map<string, InputRequest>()
  readonly #earlyResponses: Map<string, unknown>
  readonly #abortController = new AbortController()
  readonly #result: Promise<ResultText>
  #roots: Promise<readonly Root[]> | undefined
  #requested = Promise.withResolvers<undefined>()

  /** `earlyResponses`: responses that the agent sent in advance, by the names of the server's requests. */
  constructor(
    readonly request: AgentRequest,
    { abilities, ...caller }: Caller & { readonly abilities: Abilities },
    earlyResponses: JsonObject,
    calls: Pick<AgentCalls, 'handle'>,
  ) {
    this.#earlyResponses = new Map(Object.entries(earlyResponses))
    this.#result = calls.handle(request, {
      ...caller,
      signal: this.#abortController.signal,
      cancel: (reason) => this.#abortController.abort(reason),
      requestOrigin: {
        agent: caller.agent.name,
        session: caller.requestOrigin.session ?? this,
        ...(abilities.elicitation && {
          elicit: (...elicitation: ElicitArguments) => this.#elicit(...elicitation),
        }),
        ...(abilities.roots && { roots: () => (this.#roots ??= this.#listRoots()) }),
      },
      onProgress: (progress) => this.onProgress?.(progress),
    })
    // The caller that waits for the next step gets the error.
    this.#result.catch(() => undefined).finally(() => this.end())
  }

  /**
   * Resolves to the result, or to requests that the agent's next round has to answer. Aborting `signal` means that the agent left, and ends
   * the call.
   */
  async next(signal: AbortSignal): Promise<{ isDone: boolean; result: ResultText }> {
    using _abortListener = addAbortListener(signal, () =>
      this.#abortController.abort(signal.reason),
    )
    for (;;) {
      if (this.#requests.size > 0) return { isDone: false, result: this.#inputRequired() }
      this.#requested = Promise.withResolvers()
      const result = await Promise.race([this.#result, this.#requested.promise])
      if (result) return { isDone: true, result }
    }
  }

  /** Accepts the agent's responses, by request name. */
  answer(responses: JsonObject): void {
    for (const [name, response] of Object.entries(responses)) {
      this.#requests.get(name)?.accept(response)
      this.#requests.delete(name)
    }
  }

  end(): void {
    this.#abortController.abort()
  }

  #inputRequired(): ResultText {
    this.state = randomUUID()
    const requests = [...this.#requests].map(([name, { method, params }]) => {
      return [name, { method, params }] as const
    })
    return writtenResult({
      resultType: 'input_required',
      inputRequests: Object.fromEntries(requests),
      requestState: this.state,
    })
  }

  async #elicit(
    params: ElicitArguments[0],
    signal: AbortSignal,
    requestedName = '',
  ): Promise<ElicitResult> {
    const isNamed =
      requestedName !== '' && requestedName.length <= MAX_NAME && !this.#requests.has(requestedName)
    const name = isNamed ? requestedName : randomUUID()
    const early = ElicitResult.safeParse(this.#earlyResponses.get(name)).data
    // A repeated request means that the server didn't accept the first response.
    this.#earlyResponses.delete(name)
    if (early) return early
    return this.#requestInput(name, 'elicitation/create', params, signal, (response) => {
      const { data } = ElicitResult.safeParse(response)
      if (data) return data
      throw new RequestError(CODES.invalidParams, `${name} is not a valid elicitation result.`)
    })
  }

  /** Resolves to the app's open folders, requested once per call. */
  async #listRoots(): Promise<readonly Root[]> {
    const signal = AbortSignal.timeout(ROOTS_MS)
    return this.#requestInput(randomUUID(), 'roots/list', {}, signal, readRoots)
  }

  async #requestInput<Answer>(
    name: string,
    method: InputRequest['method'],
    params: JsonObject,
    signal: AbortSignal,
    read: (response: unknown) => Answer,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    using _abortListener = addAbortListener(
      AbortSignal.any([signal, this.#abortController.signal]),
      () => reject(new RequestError(CODES.failed, 'The request timed out without an answer.')),
    )
    this.#requests.set(name, { method, params, accept: (response) => resolve(read(response)) })
    this.#requested.resolve(undefined)
    try {
      return await promise
    } finally {
      this.#requests.delete(name)
    }
  }
}
