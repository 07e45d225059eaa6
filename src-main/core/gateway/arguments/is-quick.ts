import type { PreparedSchema } from './prepared-schema'
import { sizeOf } from './value-size'

/** Steps of a check on the main thread: some 20 ms for a schema that is made to take long, some 5 µs for a usual one. */
const MOST_STEPS = 200_000
const MOST_MATCHED = 10_000

/** Whether a check takes a few milliseconds at most, whatever the schema and the value are made for. */
export function isQuick({ cost, findings }: PreparedSchema, value: unknown): boolean {
  const most = MOST_STEPS / cost
  const { nodes, characters } = sizeOf(value, most)
  if (nodes > most || findings.hasWildPattern) return false
  // Elements that must be different are compared two by two.
  if (findings.hasUnique && cost * nodes * nodes > MOST_STEPS) return false
  return !findings.hasPattern || characters <= MOST_MATCHED
}
