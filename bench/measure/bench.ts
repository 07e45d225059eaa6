import { parseArgs } from 'node:util'

import { toJson, toTable } from './report'
import type { Measurement } from './row'

export type BenchPlan = { readonly rounds: number }

/** A part of a bench: sets up, measures, and cleans up. */
export type BenchPart = (plan: BenchPlan) => Promise<readonly Measurement[]>

const DEFAULT_ROUNDS = 9

/** Runs a bench's parts in turn and prints the result: a table, or one object with `--json`. */
export async function runBench(name: string, parts: readonly BenchPart[]): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const plan = { rounds: Number(values.rounds ?? DEFAULT_ROUNDS) }
  const measurements: Measurement[] = []
  for (const [index, part] of parts.entries()) {
    // All of it takes minutes; only the result goes to stdout.
    process.stderr.write(`Part ${String(index + 1)} of ${String(parts.length)} ${part.name}\n`)
    measurements.push(...(await part(plan)))
  }
  const text = values.json ? toJson(name, measurements) : toTable(name, measurements)
  process.stdout.write(`${text}\n`)
}
