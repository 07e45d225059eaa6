import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

import type { CatalogWorker } from '../../src-main/core/catalog/thread/catalog-worker'
import type { BenchPart } from '../measure/bench'
import { median } from '../measure/median'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { type CatalogHarness, SERVERS, setUpHarness } from './catalog-harness'

const FULL: Bar = { metric: 'full-sync-s', unit: 's', op: '<=', bar: 60 }
const DELAY: Bar = { metric: 'sync-loop-delay-p99-ms', unit: 'ms', op: '<=', bar: 20 }
const INCREMENT: Bar = { metric: 'increment-1000-s', unit: 's', op: '<=', bar: 2 }
const HEAP: Bar = { metric: 'main-heap-growth-mb', unit: 'MB', op: '<=', bar: 60 }

/** Full syncs are long, so a few are enough. */
const MAX_FULL = 3
const RESOLUTION_MS = 5
const IDLE_MS = 2_000
const MB = 1024 * 1024

type FullSync = {
  readonly seconds: number
  readonly delayMs: number
  readonly idleDelayMs: number
  readonly heapMb: number
}

/** Time of syncs of 30,000 servers, and their effect on the main thread. */
export const syncSpeed: BenchPart = async ({ rounds }) => {
  await using harness = await setUpHarness()
  const full: FullSync[] = []
  const increments: number[] = []
  const count = Math.min(rounds, MAX_FULL)
  for (let round = 0; round < count; round += 1) {
    const { catalog, measured } = await fullSync(harness)
    full.push(measured)
    for (let again = 0; again < 3; again += 1) increments.push(await increment(catalog))
    await catalog[Symbol.asyncDispose]()
  }
  return [
    measured(FULL, { full: full.map((one) => one.seconds) }),
    {
      ...measured(DELAY, { 'main thread': full.map((one) => one.delayMs) }),
      rounds: {
        'main thread': full.map((one) => one.delayMs),
        // The machine's own delay at that time.
        'without a sync': full.map((one) => one.idleDelayMs),
      },
    },
    measured(INCREMENT, { increment: increments }),
    measured(HEAP, { 'at most': full.map((one) => one.heapMb) }),
  ]
}

function measured(bar: Bar, rounds: Measurement['rounds']): Measurement {
  return { row: toRow(bar, median(Object.values(rounds).flat())), rounds, roundUnit: bar.unit }
}

async function fullSync(
  harness: CatalogHarness,
): Promise<{ catalog: CatalogWorker; measured: FullSync }> {
  const catalog = await harness.open()
  const idle = await delayWhile(() => delay(IDLE_MS))
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  let most = before
  const watch = catalog.onDidProgress(() => {
    most = Math.max(most, process.memoryUsage().heapUsed)
  })
  let seconds = 0
  const delayMs = await delayWhile(async () => {
    seconds = await syncOnce(catalog, SERVERS)
  })
  watch[Symbol.dispose]()
  return {
    catalog,
    measured: { seconds, delayMs, idleDelayMs: idle, heapMb: (most - before) / MB },
  }
}

/** 99th percentile of the event loop's delay during `work`, in ms. */
async function delayWhile(work: () => Promise<unknown>): Promise<number> {
  const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  loop.enable()
  await work()
  loop.disable()
  // Recorded intervals include the resolution, which is no delay.
  return Math.max(0, loop.percentile(99) / 1e6 - RESOLUTION_MS)
}

async function increment(catalog: CatalogWorker): Promise<number> {
  return await syncOnce(catalog, 1_000)
}

async function syncOnce(catalog: CatalogWorker, expected: number): Promise<number> {
  const begin = performance.now()
  const report = await catalog.calls.sync({ sourceId: 'local', mode: 'auto' })
  const seconds = (performance.now() - begin) / 1000
  if (report?.fault || report?.changed !== expected) {
    throw new Error(`The sync ended otherwise: ${JSON.stringify(report)}`)
  }
  return seconds
}
