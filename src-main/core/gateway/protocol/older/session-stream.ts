import type { Change } from '../requests/event-queue'
import type { WebExchange } from '../requests/web-exchange'

/** Where the agent of a session hears what belongs to none of its requests. What changes while it does not listen is told when it does, once. */
export class SessionStream {
  readonly #missed = new Map<string, Change>()
  #exchange: WebExchange | undefined

  constructor(private readonly notify: (change: Change) => void) {}

  /** Undefined while the agent does not listen. */
  get exchange(): WebExchange | undefined {
    return this.#exchange
  }

  /** The agent listens from now on. */
  begin(exchange: WebExchange): void {
    this.#exchange = exchange
    const missed = [...this.#missed.values()]
    this.#missed.clear()
    for (const change of missed) this.notify(change)
  }

  /** An exchange is over, be it this or another one. */
  end(exchange: WebExchange): void {
    if (this.#exchange !== exchange) return
    this.#exchange = undefined
    for (const change of exchange.untold) this.tell(change)
  }

  tell(change: Change): void {
    if (this.#exchange) this.notify(change)
    else this.#missed.set(keyOf(change), change)
  }

  /** The agent does not want to hear of it any more. */
  forget(change: Change): void {
    this.#missed.delete(keyOf(change))
  }
}

function keyOf({ method, params }: Change): string {
  return `${method} ${String(params?.uri)}`
}
