import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { Harness } from '../../e2e/fixtures/harness'
import { toJson, toTable } from '../measure/report'
import type { Row } from '../measure/row'
import { assess } from './assess'
import { type Census, handleKinds, markedProcesses, takeCensus } from './census'
import { type Leak, LEAKS, Plant } from './plant'
import { TenServers } from './ten-servers'

/** Counts that are stable for this time are final. */
const STEADY_MS = 1_000
const MAX_SETTLE_MS = 20_000
const POLL_MS = 20
/** Cycles between two censuses of a long soak. */
const MAX_STRIDE = 5

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
    plant: { type: 'string', multiple: true, default: [] },
  },
})
await soak(
  Number(values.cycles),
  LEAKS.filter((leak) => values.plant.includes(leak)),
)

async function soak(cycles: number, leaks: readonly Leak[]): Promise<void> {
  const mark = randomUUID()
  using plant = new Plant(leaks, mark)
  const harness = new Harness()
  const censuses: Census[] = []
  // A census takes longer than a cycle.
  const stride = Math.min(MAX_STRIDE, Math.max(1, Math.floor(cycles / 10)))
  try {
    plant.watch(harness)
    const ten = await TenServers.install(harness, mark)
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      await ten.cycle(cycle)
      plant.leak()
      if (cycle % stride !== 0) continue
      await settle(mark)
      const census = await takeCensus(mark, ten.lastingSignal)
      censuses.push(census)
      if (!values.json) printProgress(cycle, cycles, census)
    }
    report(cycles, assess(censuses, stride), handleKinds())
  } finally {
    await harness.close()
  }
}

/** Waits for timers, writes and processes that end by themselves: until nothing is left, or the rest is stable. */
async function settle(mark: string): Promise<void> {
  const countLeft = (): [number, number] => [
    process.getActiveResourcesInfo().length,
    markedProcesses(mark).length,
  ]
  const deadline = performance.now() + MAX_SETTLE_MS
  let left = countLeft()
  let since = performance.now()
  while (left.some((count) => count > 0) && performance.now() < deadline) {
    if (performance.now() - since > STEADY_MS) return
    await delay(POLL_MS)
    const now = countLeft()
    if (now.join() !== left.join()) since = performance.now()
    left = now
  }
}

function printProgress(cycle: number, cycles: number, census: Census): void {
  const counts = Object.entries(census).map(([kind, count]) => `${kind} ${Math.round(count)}`)
  process.stdout.write(`cycle ${cycle} of ${cycles}: ${counts.join(', ')}\n`)
}

function report(cycles: number, rows: readonly Row[], handles: string): void {
  const measurements = rows.map((row) => ({ row, rounds: {}, roundUnit: row.unit }))
  const text = values.json
    ? toJson('soak', measurements)
    : `${toTable(`soak: ${cycles} cycles of 10 servers`, measurements)}Still open at the end: ${handles || 'nothing'}`
  process.stdout.write(`${text}\n`)
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
}
