import { toDisposable } from '../../lifecycle/disposables'
import type { RequestDeadline } from '../peer/pending-requests'
import type { CallAsker } from './elicitation'

/** How long a server may still elicit for a request that was given up without its answer, in ms. */
const LINGER_MS = 60_000

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

/** A call that was given up, and until when its server may still elicit for it. It may hold much, and its agent may be gone, so no more of it is kept. */
type GivenUp = { readonly until: number; readonly session: WeakRef<object> | undefined }

type Meant = { readonly asker: CallAsker | undefined; readonly over: AbortSignal }

/**
 * The requests that one session works on, to attribute an elicitation of its server to one of them. A server with
 * sessions does not name it, so the caller is known only while all candidates are of one session of an agent.
 */
export class OpenCalls {
  // No Set: V8 links its outgrown tables, and so keeps finished calls in its old generation.
  readonly #calls: (OpenCall | GivenUp)[] = []

  constructor(private readonly now: () => number = () => performance.now()) {}

  begin(asker: CallAsker | undefined): OpenCall {
    const call = new OpenCall(asker)
    this.#calls.push(call)
    return call
  }

  /** `isAnswered`: the server knows that it is over. */
  end(call: OpenCall, isAnswered: boolean): void {
    const at = this.#calls.indexOf(call)
    if (at < 0) return
    const { session } = call.asker ?? {}
    if (isAnswered) this.#calls.splice(at, 1)
    else
      this.#calls[at] = {
        until: this.now() + LINGER_MS,
        session: session && new WeakRef(session),
      }
    this.#forget()
    call.end()
  }

  /** The only possible caller: that of the newest request, until all of them are over. Undefined where it could be another. */
  get meant(): Meant | undefined {
    this.#forget()
    const open = this.#open
    const newest = open.at(-1)
    if (!newest) return undefined
    const { asker } = newest
    if (this.#calls.length === 1) return { asker, over: newest.over }
    const session = asker?.session
    const isOnes = this.#calls.every((call) => sessionOf(call) === session)
    return session && isOnes ? { asker, over: allOver(open) } : undefined
  }

  /** Pauses the deadlines of all that are open now until the result is disposed: the elicitation may be for any of them. */
  pause(): Disposable {
    const pauses = this.#open.map(({ deadline }) => deadline?.pause())
    return toDisposable(() => {
      for (const pause of pauses) pause?.[Symbol.dispose]()
    })
  }

  get #open(): OpenCall[] {
    return this.#calls.filter((call) => call instanceof OpenCall)
  }

  #forget(): void {
    const now = this.now()
    for (let at = this.#calls.length - 1; at >= 0; at -= 1) {
      const call = this.#calls[at]
      if (call && 'until' in call && call.until <= now) this.#calls.splice(at, 1)
    }
  }
}

function sessionOf(call: OpenCall | GivenUp): object | undefined {
  return call instanceof OpenCall ? call.asker?.session : call.session?.deref()
}

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
