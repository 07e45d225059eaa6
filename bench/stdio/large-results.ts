import type { BenchPart } from '../measure/bench'
import { median, medianRatio } from '../measure/median'
import { interleave, type Side, timed } from '../measure/rounds'
import { type Bar, type Measurement, toRow } from '../measure/row'
import { connectCore, type Connection, connectRaw, textLength } from './connections'

const ROUND_LIMIT_MS = 60_000
/** A round takes less than a second, so there may be more. */
const MORE_ROUNDS = 2
const MEGABYTE = 1024 * 1024

const BARS = {
  small: { metric: 'result-8mb-vs-raw', unit: 'x', op: '<=', bar: 1.5 },
  large: { metric: 'result-64mb-vs-raw', unit: 'x', op: '<=', bar: 1.5 },
  growth: { metric: 'result-growth-vs-raw', unit: 'x', op: '<=', bar: 1.15 },
} as const satisfies Record<string, Bar>

/** One tool result of 8, 16 and 64 MB through the core, and through a plain pipe. */
export const largeResults: BenchPart = async ({ rounds }) => {
  const [ours, raw] = await Promise.all([connectCore(), connectRaw()])
  const plan = { rounds: rounds * MORE_ROUNDS, limitMs: ROUND_LIMIT_MS }
  try {
    const small = await interleave({ ours: calls(ours, 8, 4), raw: calls(raw, 8, 4) }, plan)
    const large = await interleave(
      {
        ours: calls(ours, 64),
        raw: calls(raw, 64),
        ours16: calls(ours, 16, 4),
        raw16: calls(raw, 16, 4),
      },
      plan,
    )
    return [
      versus(BARS.small, small.ours, small.raw),
      versus(BARS.large, large.ours, large.raw),
      versus(BARS.growth, growth(large.ours16, large.ours), growth(large.raw16, large.raw), 'x'),
    ]
  } finally {
    await Promise.all([ours.close(), raw.close()])
  }
}

/** Median time of `count` calls: a single small result would mostly measure noise. */
function calls(connection: Connection, megabytes: number, count = 1): Side {
  return async () => {
    const times: number[] = []
    for (let call = 0; call < count; call += 1) {
      let length = 0
      times.push(await timed(async () => (length = textLength(await connection.call(megabytes)))))
      if (length < megabytes * MEGABYTE * 0.9) throw new Error('The result is too short.')
    }
    return median(times)
  }
}

/** Ratio of each round's times, larger to smaller result. */
function growth(from: readonly number[], to: readonly number[]): number[] {
  return to.map((ms, round) => ms / (from[round] ?? Number.NaN))
}

function versus(
  bar: Bar,
  ours: number[],
  raw: number[],
  roundUnit: Bar['unit'] = 'ms',
): Measurement {
  return { row: toRow(bar, medianRatio(ours, raw)), rounds: { ours, raw }, roundUnit }
}
