import { toDisposable } from '../../lifecycle/disposables'

/** What a person can answer. */
export const PERSON = { open: 5, aMinute: 30 } as const
/** What an agent can: it may have many calls under way, and questions that it never comes back for. */
export const AGENT = { open: 50, aMinute: 300 } as const
const MINUTE_MS = 60_000

/** Keeps one server from flooding whoever answers it: how many of its questions may be open at a time, and come in a minute. */
export class AskLimits {
  #open = 0
  /** When the last ones came, oldest first. */
  readonly #times: number[] = []

  /** `now`: a monotonic time, in ms. */
  constructor(
    private readonly most: { readonly open: number; readonly aMinute: number } = PERSON,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A place for one more question, given back when it is over; undefined where there is none. */
  take(): Disposable | undefined {
    const now = this.now()
    while (this.#times[0] !== undefined && this.#times[0] <= now - MINUTE_MS) this.#times.shift()
    const { open, aMinute } = this.most
    if (this.#open >= open || this.#times.length >= aMinute) return undefined
    this.#times.push(now)
    this.#open += 1
    return toDisposable(() => (this.#open -= 1))
  }
}
