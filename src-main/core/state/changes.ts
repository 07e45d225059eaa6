import type { AppNotice, AppState } from '../../../src-shared/domain/state/app-state'
import type { EventChannel, EventPayload, StateEvent } from '../../../src-shared/ipc/contract'
import { Emitter } from '../lifecycle/emitter'

/** A part of the state whose event carries all of it. */
export type Topic = {
  [K in keyof AppState]-?: `${K}.changed` extends EventChannel ? K : never
}[keyof AppState]

/** A change in a module, which the state feed sends on. */
export type Change =
  | { readonly kind: 'topic'; readonly topic: Topic }
  | { readonly kind: 'server'; readonly installationId: string }
  | { readonly kind: 'event'; readonly event: StateEvent }

/** Where modules announce changes of shown state. */
export class Changes {
  readonly #emitter = new Emitter<Change>()
  readonly onDidChange = this.#emitter.event

  topic(topic: Topic): void {
    this.#emitter.emit({ kind: 'topic', topic })
  }

  server(installationId: string): void {
    this.#emitter.emit({ kind: 'server', installationId })
  }

  /** Sends an event that isn't part of the state. */
  event<C extends EventChannel>(channel: C, payload: EventPayload<C>): void {
    this.#emitter.emit({ kind: 'event', event: { channel, payload } as StateEvent })
  }
}

/** The notices above the pages. */
export class Notices {
  #list: readonly AppNotice[]

  constructor(
    private readonly changes: Changes,
    first: readonly AppNotice[] = [],
  ) {
    this.#list = first
  }

  get list(): readonly AppNotice[] {
    return this.#list
  }

  /** Replaces a notice with the same id. */
  add(notice: AppNotice): void {
    const others = this.#list.filter(({ noticeId }) => noticeId !== notice.noticeId)
    this.#set([...others, notice])
  }

  dismiss(noticeId: string): void {
    const others = this.#list.filter((notice) => notice.noticeId !== noticeId)
    if (others.length < this.#list.length) this.#set(others)
  }

  /** Shows a warning while there is a message, and dismisses it without one. */
  warn(noticeId: string, title: string, message: string | undefined): void {
    if (message === undefined) this.dismiss(noticeId)
    else this.add({ noticeId, severity: 'warn', title, message })
  }

  #set(list: readonly AppNotice[]): void {
    this.#list = list
    this.changes.topic('notices')
  }
}
