import { setTimeout as delay } from 'node:timers/promises'

import { markedProcesses } from '../census'
import type { Connect } from './agent-link'
import type { SoakResult } from './assess-gateway'
import { ChildWatch } from './children'
import type { CoreProcess } from './core-process'
import { type CoreCensus, type CoreMemory, type CorePlan, serverName } from './core-protocol'
import { Ledger } from './ledger'
import { connectRaw } from './raw-link'
import { Saboteur } from './saboteur'
import { connectSdk } from './sdk-link'
import { ServedLines } from './served-lines'
import { SoakedAgent } from './soaked-agent'

const NEWER = '2026-07-28'
/** A server hangs longer than the limit of its requests. */
const HANGS_LONGER_MS = 2_000
const FAIL_EVERY_MS = 1_000
const LOOK_EVERY_MS = 250
const PAUSE_MS = 100
const MIN_LIFE_MS = 1_000
const MAX_LIFE_MS = 20_000
const MAX_WEIGHINGS = 60
const MIN_WEIGHING_MS = 500
/** Time for answers after the last request, and for ended objects to disappear, in ms. */
const PATIENCE = { answersMs: 120_000, endMs: 10_000 }
/** With a planted fault some of them never come. */
const PLANTED_PATIENCE = { answersMs: 8_000, endMs: 3_000 }
/** Minimum samples for an assessment; a run is extended up to this time, in ms. */
const ENOUGH = { answers: 400, weighings: 12, longestMs: 120_000 }
const POLL_MS = 100

/** Agents call servers through a core's gateway while servers fail and agents disappear. */
export class GatewayRun {
  readonly #ledger = new Ledger()
  readonly #servers: string[]
  readonly #watch: ChildWatch
  readonly #memory: CoreMemory[] = []

  constructor(
    private readonly core: CoreProcess,
    private readonly plan: CorePlan,
  ) {
    this.#servers = Array.from({ length: plan.servers }, (_, index) => serverName(index))
    const { outages } = this.#ledger
    this.#watch = new ChildWatch(
      plan.mark,
      () => core.ask.servers(),
      (server) => outages.isDown(server),
    )
  }

  /** Runs for `ms` and until everything has ended. */
  async run(ms: number): Promise<SoakResult> {
    const { ask } = this.core
    const { url, keys } = await ask.open(this.plan)
    const before = await ask.census()
    const connects = keys.map((key, index) => connectOf(url, key, index))
    const agents = connects.map((connect) => this.#agent(connect, ms))
    const saboteur = this.#saboteur(connectOf(url, keys[0] ?? '', 0))
    const stop = new AbortController()
    const working = this.#work(agents, saboteur, { ms, stop: stop.signal })
    await this.#enough(ms)
    stop.abort()
    const { answersMs } = this.#patience
    await Promise.race([working, delay(answersMs, undefined, { ref: false })])
    this.#ledger.close()
    await this.#watch.look()
    const untold = await this.#untoldCancels()
    const { ranTwice } = new ServedLines(this.plan.folder)
    return {
      ...{ ledger: this.#ledger, agents, memory: this.#memory, before, untold, ranTwice },
      servers: this.#servers.length,
      faults: Object.values(saboteur.done).reduce((sum, count) => sum + count, 0),
      down: this.#servers.filter((server) => this.#ledger.outages.isDown(server)).length,
      samples: this.#watch.samples,
      wrongChildren: this.#watch.wrong,
      ...(await this.#end(agents, before)),
    }
  }

  get #patience(): typeof PATIENCE {
    return this.plan.plant.length > 0 ? PLANTED_PATIENCE : PATIENCE
  }

  /** Settles after `ms`, or later on a computer too busy to produce enough samples. */
  async #enough(ms: number): Promise<void> {
    const last = performance.now() + ms + ENOUGH.longestMs
    const isEnough = (): boolean =>
      this.#ledger.answered >= ENOUGH.answers && this.#memory.length >= ENOUGH.weighings
    await delay(ms)
    while (performance.now() < last && !isEnough()) await delay(POLL_MS)
  }

  /** Settles once a condition holds, or after a while. */
  async #until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    const last = performance.now() + this.#patience.endMs
    while (performance.now() < last && !(await isSo())) await delay(POLL_MS)
  }

  #agent(connect: Connect, ms: number): SoakedAgent {
    return new SoakedAgent({
      ...{ connect, servers: this.#servers, ledger: this.#ledger, pauseMs: PAUSE_MS },
      lifeMs: Math.min(MAX_LIFE_MS, Math.max(MIN_LIFE_MS, ms / 6)),
    })
  }

  #saboteur(connect: Connect): Saboteur {
    return new Saboteur({
      ...{ connect, ledger: this.#ledger, everyMs: FAIL_EVERY_MS },
      servers: () => this.core.ask.servers(),
      hangMs: this.plan.callMs + HANGS_LONGER_MS,
    })
  }

  async #work(
    agents: readonly SoakedAgent[],
    saboteur: Saboteur,
    { ms, stop }: { readonly ms: number; readonly stop: AbortSignal },
  ): Promise<void> {
    const weighMs = Math.max(MIN_WEIGHING_MS, ms / MAX_WEIGHINGS)
    const weigh = async (): Promise<void> => void this.#memory.push(await this.core.ask.memory())
    await Promise.all([
      saboteur.work(stop),
      ...agents.map((agent) => agent.work(stop)),
      every(LOOK_EVERY_MS, stop, () => this.#watch.look()),
      every(weighMs, stop, weigh),
    ])
    await Promise.all(agents.map((agent) => agent.askAll()))
  }

  /** Number of canceled calls whose server, still alive, wasn't notified. */
  async #untoldCancels(): Promise<number> {
    const { cancels, outages } = this.#ledger
    const count = (): number => {
      const lines = new ServedLines(this.plan.folder)
      return cancels.filter(
        ({ value, pid }) => !outages.wasEnded(pid) && !lines.wasCancelled(value),
      ).length
    }
    await this.#until(() => count() === 0)
    return count()
  }

  /** Removes all agents, closes the core and ends its process; returns what is left of each. */
  async #end(
    agents: readonly SoakedAgent[],
    before: CoreCensus,
  ): Promise<Pick<SoakResult, 'removed' | 'closed' | 'handlesLeft' | 'isEnded' | 'childrenLeft'>> {
    const { ask } = this.core
    await ask.removeAgents()
    await this.#until(async () => {
      const { agentSessions, inFlight } = await ask.census()
      return agentSessions <= before.agentSessions && inFlight === 0
    })
    const removed = await ask.census()
    for (const agent of agents) await agent.leave()
    const handlesLeft = await ask.close()
    await this.#until(async () => (await ask.census()).serverSessions === 0)
    const closed = await ask.census()
    const isEnded = await this.core.end()
    const { mark } = this.plan
    await this.#until(() => markedProcesses(mark).length === 0)
    return { removed, closed, handlesLeft, isEnded, childrenLeft: markedProcesses(mark).length }
  }
}

/** With sessions and stateless, by the SDK's client and plain HTTP. */
function connectOf(url: string, key: string, index: number): Connect {
  const ways: readonly [Connect, ...Connect[]] = [
    () => connectRaw(url, key, 'stateless'),
    () => connectSdk(url, key),
    () => connectRaw(url, key, 'sessions'),
    () => connectSdk(url, key, NEWER),
  ]
  return ways[index % ways.length] ?? ways[0]
}

/** Repeats work until stopped. */
async function every(ms: number, stop: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    await work()
    await delay(ms)
  }
}
