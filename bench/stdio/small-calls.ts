import type { BenchPart } from '../measure/bench'
import { medianRatio } from '../measure/median'
import { interleave, timed } from '../measure/rounds'
import { type Bar, toRow } from '../measure/row'
import { connectCore, type Connection, connectSdk, textLength } from './connections'

/** 2,000 calls per round and side, in alternating batches. */
const BATCHES = 4
const BATCH_CALLS = 500
const WARM_UP_CALLS = 300
const BATCH_LIMIT_MS = 30_000
/** A round takes less than a second, so there may be more: the ratio is close to 1. */
const MORE_ROUNDS = 5

const BAR: Bar = { metric: 'small-calls-vs-sdk', unit: 'x', op: '<=', bar: 1.1 }

/** 2,000 sequential calls with results of 100 bytes, through the core and the SDK's own transport. */
export const smallCalls: BenchPart = async ({ rounds }) => {
  const times = { ours: [] as number[], sdk: [] as number[] }
  for (let round = 0; round <= rounds * MORE_ROUNDS; round += 1) {
    const { ours, sdk } = await oneRound()
    if (round === 0) continue
    times.ours.push(ours)
    times.sdk.push(sdk)
  }
  return [{ row: toRow(BAR, medianRatio(times.ours, times.sdk)), rounds: times, roundUnit: 'ms' }]
}

/** With new processes: the cores that the system picks matter more than the measured difference. */
async function oneRound(): Promise<{ ours: number; sdk: number }> {
  const [ours, sdk] = await Promise.all([connectCore(), connectSdk()])
  try {
    await callOften(ours, WARM_UP_CALLS)
    await callOften(sdk, WARM_UP_CALLS)
    const batch = (connection: Connection) => () => timed(() => callOften(connection, BATCH_CALLS))
    const sides = { ours: batch(ours), sdk: batch(sdk) }
    const batches = await interleave(sides, { rounds: BATCHES, limitMs: BATCH_LIMIT_MS })
    return { ours: sum(batches.ours), sdk: sum(batches.sdk) }
  } finally {
    await Promise.all([ours.close(), sdk.close()])
  }
}

async function callOften(connection: Connection, count: number): Promise<void> {
  for (let call = 0; call < count; call += 1) textLength(await connection.call(0))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
