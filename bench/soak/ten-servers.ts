import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Harness } from '../../e2e/fixtures/harness'
import type { RunStatus } from '../../src-shared/domain/running/run-status'

/** Variable of each soak process, inherited by its children. */
export const MARK = 'PATCHBAY_SOAK'

const LIMIT_MS = 30_000
const POLL_MS = 10
/** Every this many cycles, slow servers get the full stop instead of a second Stop. */
const PATIENT_CYCLE = 10

type Kind = RunStatus['kind']
type Actor = { readonly script: string; readonly becomes: Kind }

/** Well-behaved servers, one that talks all the time, one with a remaining child, one stopped while starting, one that exits. */
const ACTORS: readonly Actor[] = [
  ...Array.from({ length: 4 }, () => ({ script: 'plain.mjs', becomes: 'ready' as const })),
  { script: 'changes.mjs', becomes: 'ready' },
  { script: 'chatty.mjs', becomes: 'ready' },
  { script: 'noisy.mjs', becomes: 'ready' },
  { script: 'family.mjs', becomes: 'ready' },
  { script: 'silent.mjs', becomes: 'starting' },
  { script: 'exits.mjs', becomes: 'error' },
]

/** Ten installed servers that are started and stopped together repeatedly. */
export class TenServers {
  readonly #servers: (Actor & { readonly id: string })[] = []
  /** Lives as long as the soak, so that a request that retains it shows. */
  readonly #lasting = new AbortController()

  private constructor(private readonly harness: Harness) {}

  static async install(harness: Harness, mark: string): Promise<TenServers> {
    // Each cycle controls its own starts.
    await harness.call('settings.update', { startsAgain: false })
    const ten = new TenServers(harness)
    for (const [index, actor] of ACTORS.entries()) {
      const name = `${actor.script} ${index}`
      ten.#servers.push({
        ...actor,
        id: await harness.install(serverJson(actor.script, mark), { name }),
      })
    }
    await ten.#stopAll(false)
    return ten
  }

  /** A signal passed to every request of every cycle. */
  get lastingSignal(): AbortSignal {
    return this.#lasting.signal
  }

  /** Starts all, uses the working ones, stops all; settles when all are stopped. */
  async cycle(count: number): Promise<void> {
    await Promise.all(
      this.#servers.map(({ id }) => this.harness.call('server.start', { installationId: id })),
    )
    for (const { id, becomes } of this.#servers) await this.#until(id, becomes)
    await this.#use()
    await this.#stopAll(count % PATIENT_CYCLE === 0)
    // The log grows up to its limit, which would look like a leak.
    for (const { id } of this.#servers) this.harness.patchbay.servers.read(id).log.clear()
  }

  /** One request that is answered, one canceled, one that times out. */
  async #use(): Promise<void> {
    const [first] = this.#servers
    if (!first) return
    const session = this.harness.session(first.id)
    const { signal } = this.#lasting
    await session.request('tools/call', { name: 'echo', arguments: {} }, { signal })
    const given = new AbortController()
    const cancelled = session.request('ping', {}, { signal: given.signal })
    given.abort()
    await Promise.allSettled([cancelled, session.request('ping', {}, { signal, timeoutMs: 1 })])
  }

  async #stopAll(isPatient: boolean): Promise<void> {
    const stop = (id: string): Promise<void> =>
      this.harness.call('server.stop', { installationId: id })
    await Promise.all(this.#servers.map(({ id }) => stop(id)))
    for (const { id, script } of this.#servers)
      if (script === 'family.mjs' && !isPatient) await stop(id)
    for (const { id } of this.#servers) await this.#until(id, 'stopped')
  }

  async #until(id: string, kind: Kind): Promise<void> {
    const deadline = performance.now() + LIMIT_MS
    for (;;) {
      const { status, pid } = await this.harness.view(id)
      // Stopped while starting means once it has a process.
      if (status.kind === kind && (kind !== 'starting' || pid !== undefined)) return
      if (performance.now() > deadline)
        throw new Error(`A server did not become ${kind}; it is ${JSON.stringify(status)}`)
      await delay(POLL_MS)
    }
  }
}

function serverJson(script: string, mark: string): object {
  return {
    name: `soak.fixture/${script}`,
    title: script,
    description: 'A server of the soak.',
    version: '1.0.0',
    packages: [
      {
        registryType: 'cargo',
        identifier: 'node',
        version: '1.0.0',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: resolve('e2e/servers', script) }],
        environmentVariables: [{ name: MARK, value: mark }],
      },
    ],
  }
}
