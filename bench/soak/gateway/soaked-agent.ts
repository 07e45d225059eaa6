import { setTimeout as delay } from 'node:timers/promises'

import { type AgentLink, below, type Connect } from './agent-link'
import type { Ledger, OpenCall } from './ledger'

/** Parallel calls of one agent. */
const WORKERS = 3
const MAX_REPORTS = 5
const MAX_ANSWER_MS = 20
const LARGE = 100_000

export type AgentPlan = {
  readonly connect: Connect
  readonly servers: readonly string[]
  readonly ledger: Ledger
  /** Most ms between two calls of a worker. */
  readonly pauseMs: number
  /** Most ms until it disconnects, half of the times abruptly, and returns. */
  readonly lifeMs: number
}

/** An agent that calls all servers, leaves and returns. */
export class SoakedAgent {
  /** Number of connections and abrupt ends, and connection errors. */
  connections = 0
  vanishings = 0
  extraAnswers = 0
  readonly refusals: string[] = []
  #link: AgentLink | undefined

  constructor(private readonly plan: AgentPlan) {}

  /** Works until stopped; settles when all its requests are answered. */
  async work(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) await this.#live(stop)
  }

  /** Calls every server once. */
  async askAll(): Promise<void> {
    const link = await this.#connect()
    if (!link) return
    const { signal } = new AbortController()
    for (const server of this.plan.servers) await this.#echo(link, server, signal)
  }

  /** Disconnects for good. */
  async leave(): Promise<void> {
    await this.#leave('vanish')
  }

  async #live(stop: AbortSignal): Promise<void> {
    const link = await this.#connect()
    if (!link) {
      await delay(this.plan.lifeMs)
      return
    }
    const isRude = below(2) === 0
    const gone = new AbortController()
    const leaving = new AbortController()
    const over = AbortSignal.any([stop, leaving.signal])
    const workers = Array.from({ length: WORKERS }, () => this.#work(link, over, gone.signal))
    const { lifeMs } = this.plan
    await delay(lifeMs / 2 + below(lifeMs / 2), undefined, { signal: stop }).catch(() => undefined) // it ends earlier
    leaving.abort()
    if (isRude && !stop.aborted) {
      this.vanishings += 1
      gone.abort()
      await this.#leave('vanish')
      await Promise.all(workers)
    } else {
      await Promise.all(workers)
      await this.#leave('close')
    }
  }

  async #connect(): Promise<AgentLink | undefined> {
    try {
      this.#link = await this.plan.connect()
      this.connections += 1
      return this.#link
    } catch (error) {
      this.refusals.push(String(error))
      return undefined
    }
  }

  async #leave(how: 'close' | 'vanish'): Promise<void> {
    const link = this.#link
    this.#link = undefined
    if (!link) return
    this.extraAnswers += link.extraAnswers
    try {
      await link[how]()
    } catch (error) {
      this.refusals.push(String(error))
    }
  }

  async #work(link: AgentLink, over: AbortSignal, gone: AbortSignal): Promise<void> {
    const { servers, pauseMs } = this.plan
    while (!over.aborted) {
      const server = servers[below(servers.length)] ?? ''
      const chance = below(100)
      if (chance < 12) await this.#cancelled(link, server, gone)
      else if (chance < 30) await this.#reported(link, server, gone)
      else await this.#echo(link, server, gone)
      await delay(below(pauseMs))
    }
  }

  async #echo(link: AgentLink, server: string, gone: AbortSignal): Promise<void> {
    const call = this.plan.ledger.begin(server, 'echo')
    const size = below(20) === 0 ? LARGE : 0
    await this.#send(link, call, gone, { ms: below(MAX_ANSWER_MS), size })
  }

  async #reported(link: AgentLink, server: string, gone: AbortSignal): Promise<void> {
    const times = 1 + below(MAX_REPORTS)
    await this.#send(link, this.plan.ledger.begin(server, 'report', times), gone, { times })
  }

  /** Cancels the call once its server runs it. */
  async #cancelled(link: AgentLink, server: string, gone: AbortSignal): Promise<void> {
    const call = this.plan.ledger.begin(server, 'wait', 1)
    await this.#send(link, call, gone, {}, new AbortController())
  }

  async #send(
    link: AgentLink,
    call: OpenCall,
    gone: AbortSignal,
    args: Readonly<Record<string, unknown>>,
    giveUp?: AbortController,
  ): Promise<void> {
    const { ledger } = this.plan
    const onProgress = (message: string): void => {
      call.reports.push(message)
      giveUp?.abort()
    }
    try {
      const answer = await link.call({
        tool: `${call.server}__${call.tool}`,
        args: { ...args, value: call.value },
        signal: giveUp?.signal,
        ...(call.times > 0 && { onProgress }),
      })
      if (gone.aborted && answer.kind !== 'result') ledger.drop(call, 'vanished')
      else ledger.settle(call, answer)
    } catch (error) {
      ledger.drop(call, gone.aborted ? 'vanished' : (error as Error))
    }
  }
}
