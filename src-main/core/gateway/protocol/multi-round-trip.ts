import { randomUUID } from 'node:crypto'

import type { CallAsker } from '../../mcp/elicitation/elicitation'
import { ElicitResult } from '../../mcp/elicitation/elicitation'
import type { ResultText } from '../../mcp/json/result-text'
import type { AgentRequest } from '../calls/agent-request'
import { CODES, RequestError } from '../calls/request-error'

type Elicit = NonNullable<CallAsker['elicit']>
type Params = Parameters<Elicit>[0]
type Ask = { readonly params: Params; readonly settle: (result: ElicitResult) => void }

const LONGEST_NAME = 200

/** What the agent gets next: the result, or questions to its person, with whose answers it asks again (MCP 2026-07-28, multi round-trip requests). */
export type NextStep =
  | { readonly kind: 'result'; readonly result: ResultText }
  | { readonly kind: 'asks'; readonly asks: Readonly<Record<string, Params>> }

/** Does what was asked for; its server may ask back. */
export type HeldWork = (elicit: Elicit, signal: AbortSignal) => Promise<ResultText>

/** A request of the newer era that goes on at its server while the agent, whose request is answered, asks its person. */
export class HeldCall {
  #state = randomUUID()
  readonly #asks = new Map<string, Ask>()
  readonly #given: Map<string, unknown>
  readonly #over = new AbortController()
  readonly #result: Promise<ResultText>
  #asked = Promise.withResolvers<undefined>()

  constructor(
    /** What was asked for: a retry has to ask for the same. */
    readonly request: AgentRequest,
    work: HeldWork,
    /** What the agent's person answered already, by the names of questions that the server may ask. */
    given: Readonly<Record<string, unknown>> = {},
  ) {
    this.#given = new Map(Object.entries(given))
    this.#result = work((...ask) => this.#ask(...ask), this.#over.signal)
    // Whoever waits for the next step hears of it.
    this.#result.catch(() => undefined)
  }

  /** Names it to the agent until its next round; none can guess that of another. */
  get state(): string {
    return this.#state
  }

  /** Waits for what comes next; with `signal` the asker has left, and the call ends. */
  async next(signal: AbortSignal): Promise<NextStep> {
    const leave = (): void => this.end()
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    try {
      for (;;) {
        if (this.#asks.size > 0) return this.#questions()
        this.#asked = Promise.withResolvers()
        const result = await Promise.race([this.#result, this.#asked.promise])
        if (result) return { kind: 'result', result }
      }
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  /** Takes what the agent's person answered, by the names of the questions. */
  answer(answers: Readonly<Record<string, unknown>>): void {
    for (const [name, answer] of Object.entries(answers)) {
      const ask = this.#asks.get(name)
      if (!ask) continue
      const { data } = ElicitResult.safeParse(answer)
      if (!data)
        throw new RequestError(CODES.invalidParams, `${name} is not a valid elicitation result.`)
      this.#asks.delete(name)
      ask.settle(data)
    }
  }

  /** Gives it up. */
  end(): void {
    this.#over.abort()
  }

  #questions(): NextStep {
    this.#state = randomUUID()
    const asks = [...this.#asks].map(([name, { params }]) => [name, params] as const)
    return { kind: 'asks', asks: Object.fromEntries(asks) }
  }

  async #ask(params: Params, signal: AbortSignal, own = ''): Promise<ElicitResult> {
    const isNamed = own !== '' && own.length <= LONGEST_NAME && !this.#asks.has(own)
    const name = isNamed ? own : randomUUID()
    const known = ElicitResult.safeParse(this.#given.get(name)).data
    // A server that asks for the same again did not take the first answer.
    this.#given.delete(name)
    if (known) return known
    const { promise, resolve, reject } = Promise.withResolvers<ElicitResult>()
    const giveUp = (): void =>
      reject(new RequestError(CODES.failed, 'The request timed out without an answer.'))
    const either = AbortSignal.any([signal, this.#over.signal])
    either.addEventListener('abort', giveUp, { once: true })
    if (either.aborted) giveUp()
    this.#asks.set(name, { params, settle: resolve })
    this.#asked.resolve(undefined)
    try {
      return await promise
    } finally {
      either.removeEventListener('abort', giveUp)
      this.#asks.delete(name)
    }
  }
}
