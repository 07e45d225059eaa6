import * as z from 'zod'

import { jsonIn } from '../../../src-shared/domain/attempt'
import { StartPhase } from '../../../src-shared/domain/running/run-status'

/** A minute in ms. */
export const MINUTE_MS = 60_000

/** Most error codes and start phases per minute. */
const MAX_CODES = 50
const MAX_PHASES = 100

const Count = z.number().int().nonnegative()
const Ms = z.number().nonnegative()

/** Metrics of one server in one minute, as kept in memory and in its file. */
export const Minute = z.object({
  /** Wall clock minutes since the epoch. */
  minute: Count,
  /** Time Ready or Degraded, by the monotonic clock. */
  upMs: Ms.max(MINUTE_MS).default(0),
  requests: Count.default(0),
  /** Failed requests by code. */
  errors: z.record(z.string().max(64), Count).optional(),
  /** Requests by latency bin; see `latency-bins.ts`. */
  latency: z.record(z.string().regex(/^\d{1,3}$/u), Count).optional(),
  bytesIn: Count.default(0),
  bytesOut: Count.default(0),
  stderrLines: Count.default(0),
  noiseLines: Count.default(0),
  starts: Count.default(0),
  restarts: Count.default(0),
  losses: Count.default(0),
  /** Maximum memory of the process tree. */
  rssBytes: Ms.optional(),
  /** Processor time of the tree, and the measured time span. */
  cpuMs: Ms.default(0),
  cpuOfMs: Ms.default(0),
  /** Completed phases of starts, with their duration in ms. */
  phases: z
    .array(z.tuple([StartPhase, Ms]))
    .max(MAX_PHASES)
    .optional(),
})
export type Minute = z.infer<typeof Minute>

/** Counters that only increase. */
export const COUNTED = [
  'bytesIn',
  'bytesOut',
  'stderrLines',
  'noiseLines',
  'starts',
  'restarts',
  'losses',
] as const satisfies readonly (keyof Minute)[]

const OPTIONAL = { errors: undefined, latency: undefined, rssBytes: undefined, phases: undefined }
const EMPTY: Minute = { ...OPTIONAL, ...Minute.parse({ minute: 0 }) }

/** A minute without events. */
export function emptyMinute(minute: number): Minute {
  return { ...EMPTY, minute }
}

/** Adds counts by key. */
export function addCounts(
  into: Record<string, number>,
  counts: Readonly<Record<string, number>>,
): void {
  for (const [key, count] of Object.entries(counts)) into[key] = (into[key] ?? 0) + count
}

/** Increments a key; a literal with a computed key would take V8 some 5 µs, and this runs for every request. */
export function addOne(into: Record<string, number>, key: string | number): void {
  into[key] = (into[key] ?? 0) + 1
}

/** Counts a failed request; codes beyond 50 count as `other`. */
export function addError(minute: Minute, code: string): void {
  minute.errors ??= {}
  const isRoom = code in minute.errors || Object.keys(minute.errors).length < MAX_CODES
  addOne(minute.errors, isRoom ? code : 'other')
}

/** Adds a phase of a start, up to a limit. */
export function addPhase(minute: Minute, phase: StartPhase, ms: number): void {
  minute.phases ??= []
  if (minute.phases.length < MAX_PHASES) minute.phases.push([phase, ms])
}

/** Adds another minute, or another part of the same one. */
export function addMinute(into: Minute, other: Minute): void {
  into.upMs += other.upMs
  into.requests += other.requests
  for (const key of COUNTED) into[key] += other[key]
  into.cpuMs += other.cpuMs
  into.cpuOfMs += other.cpuOfMs
  if (other.rssBytes !== undefined) into.rssBytes = Math.max(into.rssBytes ?? 0, other.rssBytes)
  if (other.latency) addCounts((into.latency ??= {}), other.latency)
  if (other.errors) addCounts((into.errors ??= {}), other.errors)
  if (other.phases) into.phases = [...(into.phases ?? []), ...other.phases]
}

/** The minute as one line of its file, in whole numbers without zeros; undefined if nothing happened. */
export function lineOf({ minute, ...metrics }: Minute): string | undefined {
  const counted = Object.entries(metrics)
    .map(([key, value]) => [key, typeof value === 'number' ? Math.round(value) : value] as const)
    .filter(([, value]) => Boolean(value))
  if (counted.length === 0) return undefined
  return JSON.stringify({ minute, ...Object.fromEntries(counted) })
}

/** Parses a line; undefined if it is torn or invalid. */
export function readMinute(line: string): Minute | undefined {
  const { data } = Minute.safeParse(jsonIn(line))
  // Always the same fields, so that V8 stores many minutes compactly.
  return data && { ...emptyMinute(data.minute), ...data }
}
