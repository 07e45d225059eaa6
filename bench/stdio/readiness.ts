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
/** The bad ones first, so that waiting for them in order makes all others wait. */
const SOME_ARE_BAD: readonly ServerMode[] = [
  ...Array.from({ length: 3 }, () => 'hangs' as const),
  'crashes',
  ...Array.from({ length: 16 }, () => 'works' as const),
]

/** How long until 16 of 20 servers are Ready when the app opens, against 20 clients of the SDK that connect and list together. */
export const readiness = readinessOf('ready-16-of-20-vs-parallel-connects', SOME_ARE_BAD)

/** How long until all of these servers that work are Ready, through the core and with clients of the SDK. */
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

/** The settings file and the keychain of a user with these servers; settings that are not named are the standard ones. */
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
      // The bad ones must fail, at the latest when they are closed; one more ends the round by its limit.
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
