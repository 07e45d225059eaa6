import { toDisposable } from '../../lifecycle/disposables'
import type { RequestDeadline } from '../requests/request-deadline'
import type { CallAsker } from './call-asker'

/** How long a server may still ask for a request that was given up without its answer, in ms. */
const LINGER_MS = 60_000

/** A request of ours while its server may ask back for it. */
export class OpenCall {
  #over: AbortController | undefined
  #isOver = false
  /** Of what of it is under way now. */
  deadline: RequestDeadline | undefined

  constructor(readonly asker: CallAsker | undefined) {}

  /** Aborted when it is over. */
  get over(): AbortSignal {
    this.#over ??= new AbortController()
    if (this.#isOver) this.#over.abort()
    return this.#over.signal
  }

  end(): void {
    this.#isOver = true
    this.#over?.abort()
  }
}

/**
 * The requests that one session works on, to tell which of them a question of its server belongs to. A server of the
 * older era does not say; so it is known only while there is a single one that it could be.
 */
export class OpenCalls {
  readonly #open = new Set<OpenCall>()
  /** Until when those may be asked for that were given up, oldest first. */
  readonly #lingering: number[] = []

  /** `now`: a monotonic time, in ms. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  begin(asker: CallAsker | undefined): OpenCall {
    const call = new OpenCall(asker)
    this.#open.add(call)
    return call
  }

  /** `isAnswered`: the server knows that it is over. */
  end(call: OpenCall, isAnswered: boolean): void {
    this.#open.delete(call)
    if (!isAnswered) this.#lingering.push(this.now() + LINGER_MS)
    call.end()
  }

  /** The only one that the server can ask for now, where there is only one. */
  get only(): OpenCall | undefined {
    const now = this.now()
    while (this.#lingering[0] !== undefined && this.#lingering[0] <= now) this.#lingering.shift()
    const [first] = this.#open
    return this.#open.size === 1 && this.#lingering.length === 0 ? first : undefined
  }

  /** Has the deadlines of all that are open now rest, until the result is disposed: the server may ask for any of them. */
  rest(): Disposable {
    const rests = [...this.#open].map(({ deadline }) => deadline?.rest())
    return toDisposable(() => {
      for (const rest of rests) rest?.[Symbol.dispose]()
    })
  }
}
