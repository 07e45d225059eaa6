import { toDisposable } from '../lifecycle/disposables'
import type { Refusal } from '../listener/guarded-listener'
import type { Timekeeper } from '../ports'
import type { Hold } from './protocol/endpoint-context'

/** What an agent takes of its share by a request: a call, the stream of a session, or a subscription (MCP 2026-07-28). */
export type RequestKind = 'calls' | 'streams' | 'listens'

export type Limits = { readonly agentCalls: number; readonly agentRate: number }

/** Most streams of sessions, and most subscriptions, that one agent has open. */
export const MOST_STREAMS = 16
export const MOST_LISTENS = 32
const MINUTE_MS = 60_000
const NAMES: Readonly<Record<RequestKind, string>> = {
  calls: 'concurrent requests',
  streams: 'open session streams',
  listens: 'open subscriptions',
}

type Use = Record<RequestKind, number> & { left: number; at: number }

/** Holds every agent to its limits; what one uses up is taken from no other. */
export class AgentLimits {
  readonly #uses = new Map<string, Use>()

  constructor(
    private readonly limits: () => Limits,
    private readonly time: Pick<Timekeeper, 'monotonic'>,
  ) {}

  /** Counts a request, or says why there must be none now. After a quiet minute a minute's requests may come together. */
  request(agentId: string): Refusal | undefined {
    const { agentRate } = this.limits()
    const use = this.#of(agentId)
    const now = this.time.monotonic()
    use.left = Math.min(agentRate, use.left + ((now - use.at) * agentRate) / MINUTE_MS)
    use.at = now
    if (use.left < 1) {
      const seconds = Math.ceil(((1 - use.left) * MINUTE_MS) / agentRate / 1_000)
      const what = `Rate limit reached: this agent sent more than ${agentRate} requests in a minute`
      return tooMuch(what, seconds)
    }
    use.left -= 1
    return undefined
  }

  /** Why no further request of a kind may begin now. */
  full(agentId: string, kind: RequestKind): Refusal | undefined {
    const { agentCalls } = this.limits()
    const most = { calls: agentCalls, streams: MOST_STREAMS, listens: MOST_LISTENS }[kind]
    if (this.#of(agentId)[kind] < most) return undefined
    return tooMuch(`Limit reached: this agent has ${most} ${NAMES[kind]}`, 1)
  }

  /** Counts a request that is served until every hold on it is over; at least one has to be taken. */
  begin(agentId: string, kind: RequestKind): Hold {
    const use = this.#of(agentId)
    let holds = 0
    use[kind] += 1
    return () => {
      holds += 1
      return toDisposable(() => {
        holds -= 1
        if (holds === 0) use[kind] -= 1
      })
    }
  }

  forget(agentId: string): void {
    this.#uses.delete(agentId)
  }

  #of(agentId: string): Use {
    const known = this.#uses.get(agentId)
    if (known) return known
    const left = this.limits().agentRate
    const use = { calls: 0, streams: 0, listens: 0, left, at: this.time.monotonic() }
    this.#uses.set(agentId, use)
    return use
  }
}

function tooMuch(what: string, seconds: number): Refusal {
  return {
    status: 429,
    message: `${what}. Retry later, or raise the limit in Patchbay’s settings.`,
    headers: { 'retry-after': String(seconds) },
  }
}
