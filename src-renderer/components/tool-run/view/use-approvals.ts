import { useState } from 'react'

/** Actions of a view that need the user's approval. */
export type ViewAction =
  | { readonly kind: 'call'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'link'; readonly url: URL }

/** `view` allows all calls of the same tool while the view is open. */
export type Decision = 'once' | 'view' | 'deny'

const MAX_WAITING = 10
/** Number of denials after which further requests of a view are denied automatically. */
const MAX_DENIALS = 3

/** An action that waits for the user. */
export type PendingAction = {
  readonly id: number
  readonly action: ViewAction
  readonly resolve: (decision: Decision) => void
}

/** Queue of a view's actions that wait for the user, who sees the first one. */
export class ApprovalQueue {
  #waiting: readonly PendingAction[] = []
  #denials = 0
  #lastId = 0

  constructor(private readonly onFirst: (first: PendingAction | undefined) => void) {}

  readonly request = (action: ViewAction): Promise<Decision> => {
    if (this.#denials >= MAX_DENIALS || this.#waiting.length >= MAX_WAITING)
      return Promise.resolve('deny')
    const { promise, resolve } = Promise.withResolvers<Decision>()
    this.#lastId += 1
    this.#set([...this.#waiting, { id: this.#lastId, action, resolve }])
    return promise
  }

  readonly decide = (decision: Decision): void => {
    const [first, ...others] = this.#waiting
    if (decision === 'deny') this.#denials += 1
    first?.resolve(decision)
    this.#set(others)
  }

  readonly denyAll = (): void => {
    for (const { resolve } of this.#waiting) resolve('deny')
    this.#set([])
  }

  #set(waiting: readonly PendingAction[]): void {
    this.#waiting = waiting
    this.onFirst(waiting[0])
  }
}

/** Returns the approvals of a view and the action to decide now. */
export function useApprovals(): {
  readonly approvals: ApprovalQueue
  readonly pending: PendingAction | undefined
} {
  const [pending, setPending] = useState<PendingAction>()
  const [approvals] = useState(() => new ApprovalQueue(setPending))
  return { approvals, pending }
}
