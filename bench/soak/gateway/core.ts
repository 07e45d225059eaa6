// The core of a gateway soak, in its own process for its memory. Serves its parent over the fork's channel, and ends when that is closed
// and nothing else is open.
import { resolve } from 'node:path'
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import { queryObjects } from 'node:v8'
import { Worker } from 'node:worker_threads'

import { createBirpc } from 'birpc'

import { freePort } from '../../../e2e/fixtures/free-port'
import { Harness } from '../../../e2e/fixtures/harness'
import { AgentSession } from '../../../src-main/core/gateway/protocol/sessions'
import { SuspendedCall } from '../../../src-main/core/gateway/protocol/suspended-call'
import { ServerSession } from '../../../src-main/core/mcp/session'
import { AgentProfile } from '../../../src-shared/domain/agents/agent'
import { MARK } from '../ten-servers'
import { type AtEachLook, breakCore } from './break-core'
import {
  type CoreCensus,
  type CoreFunctions,
  type CoreMemory,
  type CorePlan,
  type OpenedCore,
  type SeenServer,
  serverName,
} from './core-protocol'

const SERVER = resolve('bench/soak/gateway/server.mjs')
const MB = 1024 * 1024
const COLLECTIONS = 6
const OPEN_LIMIT_MS = 60_000
const SETTLE_MS = 10_000
const POLL_MS = 50

/** Servers that exit are restarted soon, however often they exit. */
const SETTINGS = {
  agentRate: 1_000_000,
  agentCalls: 1_000,
  toolCap: 10_000,
  spawnSlots: 16,
  firstWaitMs: 100,
  longestWaitMs: 1_000,
  startTries: 100,
  breakerLosses: 100,
  breakerWindowMs: 1_000,
}

const rejections: string[] = []
process.on('unhandledRejection', (error) => rejections.push(String(error)))

class SoakedCore implements CoreFunctions {
  #handles: readonly string[] = []
  #harness: Harness | undefined
  #atEachLook: AtEachLook = () => undefined

  async open(plan: CorePlan): Promise<OpenedCore> {
    const { auditThread, callMs } = plan
    // A handle of its own from the first output on.
    process.stderr.write('')
    this.#handles = process.getActiveResourcesInfo()
    const harness = new Harness(undefined, {
      createAuditWorker: (options) => new Worker(auditThread, options),
    })
    this.#harness = harness
    this.#atEachLook = breakCore(plan, harness)
    const gatewayPort = await freePort()
    await harness.call('settings.update', { ...SETTINGS, gatewayPort, callMs })
    const ids: string[] = []
    for (let index = 0; index < plan.servers; index += 1) {
      const name = serverName(index)
      ids.push(await harness.install(serverJson(name, plan), { name }))
    }
    for (const id of ids) await harness.until(id, 'ready')
    const keys: string[] = []
    const profile = AgentProfile.parse({ toolCap: SETTINGS.toolCap, keepsArguments: true })
    for (let index = 0; index < plan.agents; index += 1)
      keys.push((await harness.call('agent.add', { name: `Agent ${index + 1}`, profile })).key)
    return { url: await this.#url(), keys }
  }

  async servers(): Promise<SeenServer[]> {
    const { servers } = await this.#open.call('app.snapshot', {})
    return servers.map(({ name, status, pid }) => ({ name, status: status.kind, pid }))
  }

  async memory(): Promise<CoreMemory> {
    this.#atEachLook()
    await collect()
    const { rss, heapUsed } = process.memoryUsage()
    return { rssMb: rss / MB, heapMb: heapUsed / MB }
  }

  async census(): Promise<CoreCensus> {
    await collect()
    return {
      agentSessions: queryObjects(AgentSession, { format: 'count' }),
      heldCalls: queryObjects(SuspendedCall, { format: 'count' }),
      serverSessions: queryObjects(ServerSession, { format: 'count' }),
      inFlight: await this.#inFlight(),
      rejections,
    }
  }

  async removeAgents(): Promise<void> {
    const { agents } = await this.#open.call('app.snapshot', {})
    for (const { agentId } of agents.agents) await this.#open.call('agent.remove', { agentId })
  }

  async close(): Promise<string[]> {
    await this.#open.close()
    this.#harness = undefined
    const until = performance.now() + SETTLE_MS
    while (this.#handlesLeft().length > 0 && performance.now() < until) await delay(POLL_MS)
    return this.#handlesLeft()
  }

  /** If the parent was killed, everything open ends with it. */
  endIfOpen(): void {
    if (this.#harness) process.exit(1)
  }

  get #open(): Harness {
    if (!this.#harness) throw new Error('The core is not open.')
    return this.#harness
  }

  async #url(): Promise<string> {
    const until = performance.now() + OPEN_LIMIT_MS
    for (;;) {
      const { gateway } = (await this.#open.call('app.snapshot', {})).agents
      if (gateway.kind === 'open') return gateway.url
      if (performance.now() > until) throw new Error(`The gateway is ${JSON.stringify(gateway)}.`)
      await delay(POLL_MS)
    }
  }

  async #inFlight(): Promise<number> {
    if (!this.#harness) return 0
    const { servers } = await this.#harness.call('app.snapshot', {})
    const sessions = servers.map(
      ({ installationId }) => this.#harness?.patchbay.servers.read(installationId).session,
    )
    return sessions.reduce((sum, session) => sum + (session?.inFlight ?? 0), 0)
  }

  #handlesLeft(): string[] {
    const left = process.getActiveResourcesInfo()
    for (const kind of this.#handles) {
      const at = left.indexOf(kind)
      if (at !== -1) left.splice(at, 1)
    }
    return left
  }
}

/** Collects until nothing is left to free. */
async function collect(): Promise<void> {
  for (let turn = 0; turn < COLLECTIONS; turn += 1) {
    globalThis.gc?.()
    await nextTurn()
  }
}

function serverJson(name: string, { mark, folder }: CorePlan): object {
  return {
    name: `soak.fixture/${name}`,
    title: name,
    description: 'A server of the soak.',
    version: '1.0.0',
    packages: [
      {
        registryType: 'cargo',
        identifier: 'node',
        version: '1.0.0',
        transport: { type: 'stdio' },
        packageArguments: [SERVER, name, folder].map((value) => ({ type: 'positional', value })),
        environmentVariables: [{ name: MARK, value: mark }],
      },
    ],
  }
}

const core = new SoakedCore()
process.once('disconnect', () => core.endIfOpen())
createBirpc<object, CoreFunctions>(core, {
  post: (message) => process.send?.(message),
  on: (listener) => process.on('message', listener),
  bind: 'functions',
  timeout: -1,
})
