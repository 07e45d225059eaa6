import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { Harness } from '../../e2e/fixtures/harness'
import type { Settings } from '../../src-shared/domain/state/settings'
import type { BenchPart } from '../measure/bench'
import { medianRatio } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { benchCommand, benchServer, type ServerMode } from './bench-server'

const ROUND_LIMIT_MS = 60_000
/** The bad ones first, so that waiting for them in order delays all others. */
const SOME_ARE_BAD: readonly ServerMode[] = [
  ...Array.from({ length: 3 }, () => 'hangs' as const),
  'crashes',
  ...Array.from({ length: 16 }, () => 'works' as const),
]

/** Time until 16 of 20 servers are Ready when the app opens, against 20 SDK clients that connect and list in parallel. */
export const readiness = readinessOf('ready-16-of-20-vs-parallel-connects', SOME_ARE_BAD)

/** Time until all working servers are Ready, through the core and with SDK clients. */
function readinessOf(metric: string, modes: readonly ServerMode[]): BenchPart {
  const bar: Bar = { metric, unit: 'x', op: '<=', bar: 1.25 }
  return async ({ rounds }) => {
    const memory = await installAll(modes)
    const sides = { ours: () => openCore(memory, modes), sdk: () => connectAll(modes) }
    const times = await interleave(sides, { rounds, limitMs: ROUND_LIMIT_MS })
    return [{ row: toRow(bar, medianRatio(times.ours, times.sdk)), rounds: times, roundUnit: 'ms' }]
  }
}

function working(modes: readonly ServerMode[]): number {
  return modes.filter((mode) => mode === 'works').length
}

/** Settings and keychain of a user with these servers, by default with default settings. */
export async function installAll(
  modes: readonly ServerMode[],
  settings: Partial<Settings> = {},
): Promise<Harness['memory']> {
  const harness = new Harness()
  await harness.call('settings.update', settings)
  for (const [index, mode] of modes.entries())
    await harness.install(benchServer(mode), { name: `${mode} ${index}` })
  await harness.close()
  return harness.memory
}

async function openCore(memory: Harness['memory'], modes: readonly ServerMode[]): Promise<number> {
  globalThis.gc?.()
  const begin = performance.now()
  const harness = new Harness(memory)
  const ready = new Set<string>()
  const took = new Promise<number>((resolve) => {
    harness.patchbay.onEvent((event) => {
      if (event.channel !== 'server.changed' || event.payload.server.status.kind !== 'ready') return
      ready.add(event.payload.server.installationId)
      if (ready.size === working(modes)) resolve(performance.now() - begin)
    })
  })
  try {
    return await took
  } finally {
    await harness.close()
  }
}

async function connectAll(modes: readonly ServerMode[]): Promise<number> {
  globalThis.gc?.()
  const begin = performance.now()
  let ready = 0
  const clients: Client[] = []
  const took = new Promise<number>((resolve) => {
    for (const mode of modes) {
      const client = new Client({ name: 'bench', version: '0' })
      clients.push(client)
      const connected = connectAndList(client, mode).then(() => {
        ready += 1
        if (ready === working(modes)) resolve(performance.now() - begin)
      })
      // The bad ones must fail when closed at the latest; otherwise the round's limit ends it.
      connected.catch(() => undefined)
    }
  })
  try {
    return await took
  } finally {
    await Promise.all(clients.map((client) => client.close()))
  }
}

async function connectAndList(client: Client, mode: ServerMode): Promise<void> {
  await client.connect(new StdioClientTransport({ ...benchCommand(mode), stderr: 'ignore' }))
  await client.listTools()
}
