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

/** What is asked, and for whom. */
export type QuestionInput = {
  readonly installationId: string
  /** Name of the agent for origin call it is, where that is known. */
  readonly agent?: string | undefined
  /** The user's own run that it is for, where that is known. */
  readonly toolRunId?: string | undefined
  readonly body: QuestionBody
  /** How long it waits, in ms. */
  readonly waitMs: number
  /** Takes it back. */
  readonly signal?: AbortSignal | undefined
  /** Throws INVALID_VALUES for an answer that does not fit; the question then stays. */
  readonly check?: ((answer: QuestionAnswer) => void) | undefined
  /** An argument of a call in full, by its place in the body; all of them without one. Undefined where there is none. */
  readonly argument?: ((at: number | undefined) => ArgumentText | undefined) | undefined
  /** An answer that may come from elsewhere, as when a server knows that its page was opened. */
  readonly elsewhere?: Promise<QuestionAnswer> | undefined
}

/** The user's answer, or that there was none in time, before it was taken back, or before the app ended. */
export type Outcome = QuestionAnswer | { readonly kind: 'unanswered' }

type Waiting = {
  readonly question: Question
  readonly asked: QuestionInput
  readonly settle: (outcome: Outcome) => void
}

/** All that waits for the user, oldest first; each question is answered once, or is over when its time is. */
export class Questions implements Disposable {
  readonly #waiting = new Map<string, Waiting>()
  readonly #changed = new Emitter<undefined>()

  /** Fires when a question comes or goes. */
  readonly onDidChange = this.#changed.event

  get pending(): readonly Question[] {
    return [...this.#waiting.values()].map(({ question }) => question)
  }

  /** Waits for the answer; never rejects. */
  async ask(asked: QuestionInput): Promise<Outcome> {
    const { installationId, agent, toolRunId, body, waitMs, signal, elsewhere } = asked
    if (signal?.aborted) return { kind: 'unanswered' }
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    void elsewhere?.then(resolve)
    const askedAt = Date.now()
    const questionId = randomUUID()
    const origin = { installationId, agent, toolRunId }
    const question = { questionId, ...origin, askedAt, until: askedAt + waitMs, body }
    this.#waiting.set(questionId, { question, asked, settle: resolve })
    using _aborting = signal && addAbortListener(signal, () => resolve({ kind: 'unanswered' }))
    this.#changed.emit(undefined)
    try {
      return await within(waitMs, promise, () => ({ kind: 'unanswered' as const }))
    } finally {
      this.#waiting.delete(questionId)
      this.#changed.emit(undefined)
    }
  }

  /** Throws NOT_FOUND for one that is over, and INVALID_VALUES for an answer that does not fit. */
  answer(questionId: string, answer: QuestionAnswer): void {
    const waiting = this.#read(questionId)
    waiting.asked.check?.(answer)
    waiting.settle(answer)
  }

  /** An argument in full; see `question.argument`. Throws NOT_FOUND. */
  argumentOf(questionId: string, at: number | undefined): ArgumentText {
    const text = this.#read(questionId).asked.argument?.(at)
    if (!text) throw overError()
    return text
  }

  /** The address of the page that is asked for; throws NOT_FOUND. */
  pageOf(questionId: string): string {
    const { body } = this.#read(questionId).question
    if (body.kind !== 'page') throw overError()
    return body.url
  }

  /** Ends all without an answer. */
  [Symbol.dispose](): void {
    for (const { settle } of this.#waiting.values()) settle({ kind: 'unanswered' })
  }

  #read(questionId: string): Waiting {
    const waiting = this.#waiting.get(questionId)
    if (!waiting) throw overError()
    return waiting
  }
}

function overError(): AppError {
  return new AppError('NOT_FOUND', 'This request has ended.', {
    hint: 'Nothing was sent. The server or agent can send a new request.',
  })
}
