import { toDisposable } from '../../lifecycle/disposables'
import type { RequestDeadline } from '../peer/request-deadline'
import type { CallAsker } from './elicitation'

/** How long a server may still elicit for a request that was given up without its answer, in ms. */
const LINGER_MS = 60_000

/** A request of ours while its server may elicit something for it. */
export class OpenCall {
  #over: AbortController | undefined
  #isOver = false
  deadline: RequestDeadline | undefined

  constructor(readonly asker: CallAsker | undefined) {}

  /** Aborted when the call is over. Created on first use: few calls need it, and each takes memory until a collection. */
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

/** The caller that an elicitation is for, and until when. */
type Meant = { readonly asker: CallAsker | undefined; readonly over: AbortSignal }

/** A request that was given up, and until when its server may still elicit for it. The session may be of an agent that is gone, so it is not kept. */
type Lingering = { readonly until: number; readonly session: WeakRef<object> | undefined }

/**
 * The requests that one session works on, to attribute an elicitation of its server to one of them. A server with
 * sessions does not name it, so the caller is known only while all candidates are of one session of an agent.
 */
export class OpenCalls {
  // No Set: V8 links its outgrown tables, and so keeps finished calls in its old generation.
  readonly #open: OpenCall[] = []
  readonly #lingering: Lingering[] = []

  constructor(private readonly now: () => number = () => performance.now()) {}

  begin(asker: CallAsker | undefined): OpenCall {
    const call = new OpenCall(asker)
    this.#open.push(call)
    return call
  }

  /** `isAnswered`: the server knows that it is over. */
  end(call: OpenCall, isAnswered: boolean): void {
    const at = this.#open.indexOf(call)
    if (at >= 0) this.#open.splice(at, 1)
    this.#forget()
    const { session } = call.asker ?? {}
    if (!isAnswered)
      this.#lingering.push({
        until: this.now() + LINGER_MS,
        session: session && new WeakRef(session),
      })
    call.end()
  }

  #forget(): void {
    const now = this.now()
    while (this.#lingering[0] !== undefined && this.#lingering[0].until <= now)
      this.#lingering.shift()
  }

  /** The only possible caller: that of the newest request, until all of them are over. Undefined where it could be another. */
  get meant(): Meant | undefined {
    this.#forget()
    const open = [...this.#open]
    const newest = open.at(-1)
    if (!newest) return undefined
    const { asker } = newest
    if (open.length === 1 && this.#lingering.length === 0) return { asker, over: newest.over }
    const session = asker?.session
    const others = [
      ...open.map((call) => call.asker?.session),
      ...this.#lingering.map((one) => one.session?.deref()),
    ]
    const isOnes = session !== undefined && others.every((other) => other === session)
    return isOnes ? { asker, over: allOver(open) } : undefined
  }

  /** Pauses the deadlines of all that are open now until the result is disposed: the elicitation may be for any of them. */
  pause(): Disposable {
    const pauses = [...this.#open].map(({ deadline }) => deadline?.pause())
    return toDisposable(() => {
      for (const pause of pauses) pause?.[Symbol.dispose]()
    })
  }
}

/** Aborted when all of these are over. */
function allOver(calls: readonly OpenCall[]): AbortSignal {
  const last = new AbortController()
  let left = calls.length
  const count = (): void => {
    left -= 1
    if (left === 0) last.abort()
  }
  for (const { over } of calls) over.addEventListener('abort', count, { once: true })
  return last.signal
}
