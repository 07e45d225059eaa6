import { setTimeout as delay } from 'node:timers/promises'

import { type AgentLink, below, type Connect } from './agent-link'
import type { SeenServer } from './core-protocol'
import type { Ledger } from './ledger'

/** Ways to make a server fail: exit in a call, be killed, or hang until it exits. */
const TWO = ['exit', 'kill'] as const
/** A hanging server delays its callers, so few do. */
const WAYS = ['hang', ...TWO, ...TWO, ...TWO, ...TWO, ...TWO] as const
/** Interval of requests to a server that isn't back yet, in ms. */
const AGAIN_MS = 100
type Way = (typeof WAYS)[number]

export type SaboteurPlan = {
  readonly connect: Connect
  readonly servers: () => Promise<SeenServer[]>
  readonly ledger: Ledger
  readonly everyMs: number
  /** How long a server hangs, in ms. */
  readonly hangMs: number
}

/** Makes servers fail in turn, each once it is back. */
export class Saboteur {
  readonly done: Record<Way, number> = { hang: 0, exit: 0, kill: 0 }

  constructor(private readonly plan: SaboteurPlan) {}

  /** Settles after the stop when all servers are back. */
  async work(stop: AbortSignal): Promise<void> {
    const link = await this.plan.connect()
    const requests: Promise<void>[] = []
    for (let turn = 0; !stop.aborted; turn += 1) {
      const way = WAYS[turn % WAYS.length] ?? 'exit'
      const server = await this.#oneThatServes()
      if (server?.pid !== undefined) {
        this.plan.ledger.outages.begin(server.name, server.pid)
        this.done[way] += 1
        if (way === 'kill') process.kill(server.pid, 'SIGKILL')
        else requests.push(this.#ask(link, server.name, way, { ms: this.plan.hangMs }))
      }
      await delay(this.plan.everyMs)
    }
    await Promise.all(requests)
    await this.#untilAllAreBack(link)
    await link.close()
  }

  async #untilAllAreBack(link: AgentLink): Promise<void> {
    const { ledger, servers } = this.plan
    const names = (await servers()).map(({ name }) => name)
    for (const name of names) {
      while (ledger.outages.isDown(name) && !ledger.isClosed) {
        await this.#ask(link, name, 'echo', {})
        await delay(AGAIN_MS)
      }
    }
  }

  async #ask(link: AgentLink, name: string, tool: string, args: object): Promise<void> {
    const { ledger } = this.plan
    const call = ledger.begin(name, tool)
    try {
      const { value } = call
      ledger.settle(call, await link.call({ tool: `${name}__${tool}`, args: { ...args, value } }))
    } catch (error) {
      ledger.drop(call, error as Error)
    }
  }

  async #oneThatServes(): Promise<SeenServer | undefined> {
    const { servers, ledger } = this.plan
    const all = (await servers()).filter(
      ({ name, status, pid }) =>
        status === 'ready' && pid !== undefined && !ledger.outages.isDown(name),
    )
    return all[below(all.length)]
  }
}
