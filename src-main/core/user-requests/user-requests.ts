import { randomUUID } from 'node:crypto'
import { addAbortListener } from 'node:events'

import type { ArgumentText } from '../../../src-shared/domain/agents/argument-rows'
import type {
  UserRequest,
  UserRequestAnswer,
  UserRequestBody,
} from '../../../src-shared/domain/agents/user-request'
import { AppError } from '../../../src-shared/domain/app-error'
import { Emitter } from '../lifecycle/emitter'
import { within } from '../lifecycle/time-limit'

/** A request to the user. */
export type UserRequestInput = {
  readonly installationId: string
  /** Name of the agent whose call caused it, if known. */
  readonly agent?: string | undefined
  /** The user's own tool run that caused it, if known. */
  readonly toolRunId?: string | undefined
  readonly body: UserRequestBody
  /** Time limit, in ms. */
  readonly waitMs: number
  /** Withdraws the request. */
  readonly signal?: AbortSignal | undefined
  /** Throws INVALID_VALUES for an answer that doesn't fit; the request then stays open. */
  readonly check?: ((answer: UserRequestAnswer) => void) | undefined
  /** Returns a complete argument of a call by its index in the body, or all of them without an index. Undefined if there is none. */
  readonly argument?: ((at: number | undefined) => ArgumentText | undefined) | undefined
  /** An answer from another source, for example when a server reports that its page was opened. */
  readonly elsewhere?: Promise<UserRequestAnswer> | undefined
}

/** The user's answer, or `unanswered` on timeout, withdrawal or the app's end. */
export type Outcome = UserRequestAnswer | { readonly kind: 'unanswered' }

type PendingRequest = {
  readonly request: UserRequest
  readonly input: UserRequestInput
  readonly resolve: (outcome: Outcome) => void
}

/** All requests that wait for the user, oldest first; each is answered once or times out. */
export class UserRequests implements Disposable {
  readonly #pending = new Map<string, PendingRequest>()
  readonly #changed = new Emitter<undefined>()

  /** Fires when a request is added or removed. */
  readonly onDidChange = this.#changed.event

  get pending(): readonly UserRequest[] {
    return [...this.#pending.values()].map(({ request }) => request)
  }

  /** Resolves to the answer; never rejects. */
  async request(input: UserRequestInput): Promise<Outcome> {
    const { installationId, agent, toolRunId, body, waitMs, signal, elsewhere } = input
    if (signal?.aborted) return { kind: 'unanswered' }
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    void elsewhere?.then(resolve)
    const requestedAt = Date.now()
    const requestId = randomUUID()
    const origin = { installationId, agent, toolRunId }
    const request = { requestId, ...origin, requestedAt, until: requestedAt + waitMs, body }
    this.#pending.set(requestId, { request, input, resolve: resolve })
    using _aborting = signal && addAbortListener(signal, () => resolve({ kind: 'unanswered' }))
    this.#changed.emit(undefined)
    try {
      return await within(waitMs, promise, () => ({ kind: 'unanswered' as const }))
    } finally {
      this.#pending.delete(requestId)
      this.#changed.emit(undefined)
    }
  }

  /** Throws NOT_FOUND for an ended request, and INVALID_VALUES for an answer that doesn't fit. */
  answer(requestId: string, answer: UserRequestAnswer): void {
    const pending = this.#read(requestId)
    pending.input.check?.(answer)
    pending.resolve(answer)
  }

  /** Returns a complete argument; see `userRequest.argument`. Throws NOT_FOUND. */
  argumentOf(requestId: string, at: number | undefined): ArgumentText {
    const text = this.#read(requestId).input.argument?.(at)
    if (!text) throw endedError()
    return text
  }

  /** Returns the address of the requested page; throws NOT_FOUND. */
  pageOf(requestId: string): string {
    const { body } = this.#read(requestId).request
    if (body.kind !== 'page') throw endedError()
    return body.url
  }

  /** Ends all requests unanswered. */
  [Symbol.dispose](): void {
    for (const { resolve } of this.#pending.values()) resolve({ kind: 'unanswered' })
  }

  #read(requestId: string): PendingRequest {
    const pending = this.#pending.get(requestId)
    if (!pending) throw endedError()
    return pending
  }
}

function endedError(): AppError {
  return new AppError('NOT_FOUND', 'This request has ended.', {
    hint: 'Nothing was sent. The server or agent can send a new request.',
  })
}
