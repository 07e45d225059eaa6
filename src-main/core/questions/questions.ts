import { randomUUID } from 'node:crypto'
import { addAbortListener } from 'node:events'

import type { ArgumentText } from '../../../src-shared/domain/agents/argument-rows'
import type {
  Question,
  QuestionAnswer,
  QuestionBody,
} from '../../../src-shared/domain/agents/question'
import { AppError } from '../../../src-shared/domain/app-error'
import { Emitter } from '../lifecycle/emitter'
import { within } from '../lifecycle/time-limit'

/** A request to the user. */
export type QuestionInput = {
  readonly installationId: string
  /** Name of the agent whose call caused it, if known. */
  readonly agent?: string | undefined
  /** The user's own tool run that caused it, if known. */
  readonly toolRunId?: string | undefined
  readonly body: QuestionBody
  /** Time limit, in ms. */
  readonly waitMs: number
  /** Withdraws the request. */
  readonly signal?: AbortSignal | undefined
  /** Throws INVALID_VALUES for an answer that doesn't fit; the request then stays open. */
  readonly check?: ((answer: QuestionAnswer) => void) | undefined
  /** Returns a complete argument of a call by its index in the body, or all of them without an index. Undefined if there is none. */
  readonly argument?: ((at: number | undefined) => ArgumentText | undefined) | undefined
  /** An answer from another source, for example when a server reports that its page was opened. */
  readonly elsewhere?: Promise<QuestionAnswer> | undefined
}

/** The user's answer, or `unanswered` on timeout, withdrawal or the app's end. */
export type Outcome = QuestionAnswer | { readonly kind: 'unanswered' }

type PendingRequest = {
  readonly question: Question
  readonly input: QuestionInput
  readonly resolve: (outcome: Outcome) => void
}

/** All requests that wait for the user, oldest first; each is answered once or times out. */
export class Questions implements Disposable {
  readonly #pending = new Map<string, PendingRequest>()
  readonly #changed = new Emitter<undefined>()

  /** Fires when a request is added or removed. */
  readonly onDidChange = this.#changed.event

  get pending(): readonly Question[] {
    return [...this.#pending.values()].map(({ question }) => question)
  }

  /** Resolves to the answer; never rejects. */
  async ask(input: QuestionInput): Promise<Outcome> {
    const { installationId, agent, toolRunId, body, waitMs, signal, elsewhere } = input
    if (signal?.aborted) return { kind: 'unanswered' }
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    void elsewhere?.then(resolve)
    const askedAt = Date.now()
    const questionId = randomUUID()
    const origin = { installationId, agent, toolRunId }
    const question = { questionId, ...origin, askedAt, until: askedAt + waitMs, body }
    this.#pending.set(questionId, { question, input, resolve: resolve })
    using _aborting = signal && addAbortListener(signal, () => resolve({ kind: 'unanswered' }))
    this.#changed.emit(undefined)
    try {
      return await within(waitMs, promise, () => ({ kind: 'unanswered' as const }))
    } finally {
      this.#pending.delete(questionId)
      this.#changed.emit(undefined)
    }
  }

  /** Throws NOT_FOUND for an ended request, and INVALID_VALUES for an answer that doesn't fit. */
  answer(questionId: string, answer: QuestionAnswer): void {
    const pending = this.#read(questionId)
    pending.input.check?.(answer)
    pending.resolve(answer)
  }

  /** Returns a complete argument; see `question.argument`. Throws NOT_FOUND. */
  argumentOf(questionId: string, at: number | undefined): ArgumentText {
    const text = this.#read(questionId).input.argument?.(at)
    if (!text) throw endedError()
    return text
  }

  /** Returns the address of the requested page; throws NOT_FOUND. */
  pageOf(questionId: string): string {
    const { body } = this.#read(questionId).question
    if (body.kind !== 'page') throw endedError()
    return body.url
  }

  /** Ends all requests unanswered. */
  [Symbol.dispose](): void {
    for (const { resolve } of this.#pending.values()) resolve({ kind: 'unanswered' })
  }

  #read(questionId: string): PendingRequest {
    const pending = this.#pending.get(questionId)
    if (!pending) throw endedError()
    return pending
  }
}

function endedError(): AppError {
  return new AppError('NOT_FOUND', 'This request has ended.', {
    hint: 'Nothing was sent. The server or agent can send a new request.',
  })
}
