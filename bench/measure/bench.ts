import { parseArgs } from 'node:util'

import { toJson, toTable } from './report'
import type { Measurement } from './row'

export type BenchPlan = { readonly rounds: number }

/** One part of a bench: sets up what it measures, and takes it down again. */
export type BenchPart = (plan: BenchPlan) => Promise<readonly Measurement[]>

const DEFAULT_ROUNDS = 9

/** Runs the parts of a bench one after the other and prints the result: a table, or with `--json` one object. */
export async function runBench(name: string, parts: readonly BenchPart[]): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean', default: false }, rounds: { type: 'string' } },
  })
  const plan = { rounds: Number(values.rounds ?? DEFAULT_ROUNDS) }
  const measurements: Measurement[] = []
  for (const [index, part] of parts.entries()) {
    // The whole takes minutes; the result alone goes to stdout.
    process.stderr.write(`Part ${String(index + 1)} of ${String(parts.length)} ${part.name}\n`)
    measurements.push(...(await part(plan)))
  }
  const text = values.json ? toJson(name, measurements) : toTable(name, measurements)
  process.stdout.write(`${text}\n`)
}
