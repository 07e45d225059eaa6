import type { ServerResponse } from 'node:http'

import { toDisposable } from '../lifecycle/disposables'
import type { Refusal } from '../listener/guarded-listener'
import type { Timekeeper } from '../ports'
import type { Hold } from './protocol/endpoint-context'

/** The limit that a request counts against: a call, the stream of a session, or a subscription (MCP 2026-07-28). */
export type RequestKind = 'calls' | 'streams' | 'listens'

export type Limits = { readonly agentCalls: number; readonly agentRate: number }

/** Maximum open session streams, and maximum open subscriptions, per agent. */
export const MAX_STREAMS = 16
export const MAX_SUBSCRIPTIONS = 32
const MINUTE_MS = 60_000
const NAMES: Readonly<Record<RequestKind, string>> = {
  calls: 'concurrent requests',
  streams: 'open session streams',
  listens: 'open subscriptions',
}

/** Time limit of a queued call, in ms, and the maximum queue length per agent. */
export const QUEUE_MS = 10_000
const MAX_QUEUE = 1_000

type Use = Record<RequestKind, number> & {
  left: number
  at: number
  /** Queued calls, oldest first. */
  readonly line: Set<() => void>
}

/** Enforces each agent's limits; no agent can use up another's share. */
export class AgentLimits {
  readonly #uses = new Map<string, Use>()

  constructor(
    private readonly limits: () => Limits,
    private readonly time: Pick<Timekeeper, 'monotonic' | 'after'>,
  ) {}

  /** Counts a request, or returns why it is rejected. After a quiet minute, a minute's worth of requests may come together. */
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

  /**
   * Begins a request, after a place in the queue if too many calls are running. Resolves to a refusal if it may not begin; nobody reads
   * that refusal if the response is closed.
   */
  async enter(
    agentId: string,
    kind: RequestKind,
    response: Pick<ServerResponse, 'once' | 'off'>,
  ): Promise<Hold | Refusal> {
    const { line } = this.#of(agentId)
    const refusal = this.#full(agentId, kind)
    if (!refusal) return this.start(agentId, kind)
    if (kind !== 'calls' || line.size >= MAX_QUEUE) return refusal
    const { promise, resolve } = Promise.withResolvers<Hold | Refusal>()
    const enter = (): void => resolve(this.start(agentId, kind))
    const leaveQueue = (): void => {
      line.delete(enter)
      resolve(refusal)
    }
    line.add(enter)
    using _timeout = this.time.after(QUEUE_MS, leaveQueue)
    response.once('close', leaveQueue)
    const turn = await promise
    response.off('close', leaveQueue)
    return turn
  }

  /** Returns why no further request of this kind may begin now. */
  #full(agentId: string, kind: RequestKind): Refusal | undefined {
    const { agentCalls } = this.limits()
    const limit = { calls: agentCalls, streams: MAX_STREAMS, listens: MAX_SUBSCRIPTIONS }[kind]
    if (this.#of(agentId)[kind] < limit) return undefined
    return tooMuch(`Limit reached: this agent has ${limit} ${NAMES[kind]}`, 1)
  }

  /** Counts a request until every hold on it is disposed; the caller has to take at least one hold. */
  start(agentId: string, kind: RequestKind): Hold {
    const use = this.#of(agentId)
    let holds = 0
    use[kind] += 1
    return () => {
      holds += 1
      return toDisposable(() => {
        holds -= 1
        if (holds === 0) this.#end(use, kind)
      })
    }
  }

  forget(agentId: string): void {
    this.#uses.delete(agentId)
  }

  #end(use: Use, kind: RequestKind): void {
    use[kind] -= 1
    const [next] = use.line
    if (!next || use.calls >= this.limits().agentCalls) return
    use.line.delete(next)
    next()
  }

  #of(agentId: string): Use {
    const existing = this.#uses.get(agentId)
    if (existing) return existing
    const left = this.limits().agentRate
    const at = this.time.monotonic()
    const use = { calls: 0, streams: 0, listens: 0, left, at, line: new Set<() => void>() }
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
