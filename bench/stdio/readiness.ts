import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

import { Desk } from '../../e2e/fixtures/desk'
import type { BenchPart } from '../measure/bench'
import { medianRatio } from '../measure/median'
import { interleave } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { benchCommand, benchServer, type ServerMode } from './bench-server'

const ROUND_LIMIT_MS = 60_000
const WANTED = 16
/** The bad ones first, so that whoever waits for them makes all others wait. */
const MODES: readonly ServerMode[] = [
  ...Array.from({ length: 3 }, () => 'hangs' as const),
  'crashes',
  ...Array.from({ length: WANTED }, () => 'works' as const),
]

const BAR: Bar = {
  metric: 'ready-16-of-20-vs-parallel-connects',
  unit: 'x',
  op: '<=',
  bar: 1.25,
}

/** How long until 16 of 20 servers are Ready when the app opens, against 20 clients of the SDK that connect and list at once. */
export const readiness: BenchPart = async ({ rounds }) => {
  const memory = await installAll()
  const sides = { ours: () => openCore(memory), sdk: connectAll }
  const times = await interleave(sides, { rounds, limitMs: ROUND_LIMIT_MS })
  return [{ row: toRow(BAR, medianRatio(times.ours, times.sdk)), rounds: times, roundUnit: 'ms' }]
}

/** The settings file and the keychain of a person with these 20 servers. */
async function installAll(): Promise<Desk['memory']> {
  const desk = new Desk()
  for (const [index, mode] of MODES.entries())
    await desk.install(benchServer(mode), { name: `${mode} ${index}` })
  await desk.close()
  return desk.memory
}

async function openCore(memory: Desk['memory']): Promise<number> {
  globalThis.gc?.()
  const begin = performance.now()
  const desk = new Desk(memory)
  const ready = new Set<string>()
  const took = new Promise<number>((resolve) => {
    desk.patchbay.onEvent((event) => {
      if (event.channel !== 'server.changed' || event.payload.server.status.kind !== 'ready') return
      ready.add(event.payload.server.installationId)
      if (ready.size === WANTED) resolve(performance.now() - begin)
    })
  })
  return took.finally(() => desk.close())
}

async function connectAll(): Promise<number> {
  globalThis.gc?.()
  const begin = performance.now()
  let ready = 0
  const clients: Client[] = []
  const took = new Promise<number>((resolve) => {
    for (const mode of MODES) {
      const client = new Client({ name: 'bench', version: '0' })
      clients.push(client)
      const connected = connectAndList(client, mode).then(() => {
        ready += 1
        if (ready === WANTED) resolve(performance.now() - begin)
      })
      // Four of them must fail, at the latest when they are closed; a fifth ends the round by its limit.
      connected.catch(() => undefined)
    }
  })
  return took.finally(() => Promise.all(clients.map((client) => client.close())))
}

async function connectAndList(client: Client, mode: ServerMode): Promise<void> {
  await client.connect(new StdioClientTransport({ ...benchCommand(mode), stderr: 'ignore' }))
  await client.listTools()
}
