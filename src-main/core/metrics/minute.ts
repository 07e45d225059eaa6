import * as z from 'zod'

import { jsonIn } from '../../../src-shared/domain/attempt'
import { StartPhase } from '../../../src-shared/domain/running/run-status'

/** The length of a minute, in ms. */
export const MINUTE_MS = 60_000

/** Most different codes, and most steps of starts, that one minute keeps. */
const MOST_CODES = 50
const MOST_PHASES = 100

const Count = z.number().int().nonnegative()
const Ms = z.number().nonnegative()

/** What happened with one server in one minute, as it is kept in memory and in its file. */
export const Minute = z.object({
  /** Minutes since the epoch, by the clock on the wall. */
  minute: Count,
  /** How long it was Ready or Degraded, by a clock that never jumps. */
  upMs: Ms.max(MINUTE_MS).default(0),
  requests: Count.default(0),
  /** Failed requests by code. */
  errors: z.record(z.string().max(64), Count).optional(),
  /** Requests by the bin of their time; see `latency-bins.ts`. */
  latency: z.record(z.string().regex(/^\d{1,3}$/u), Count).optional(),
  bytesIn: Count.default(0),
  bytesOut: Count.default(0),
  stderrLines: Count.default(0),
  noiseLines: Count.default(0),
  starts: Count.default(0),
  restarts: Count.default(0),
  losses: Count.default(0),
  /** The most that the process tree took. */
  rssBytes: Ms.optional(),
  /** Processor time of the tree, and over how long it was measured. */
  cpuMs: Ms.default(0),
  cpuOfMs: Ms.default(0),
  /** The steps of starts that were done, each with its duration in ms. */
  phases: z
    .array(z.tuple([StartPhase, Ms]))
    .max(MOST_PHASES)
    .optional(),
})
export type Minute = z.infer<typeof Minute>

/** What is counted up and never comes back. */
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

/** A minute in which nothing happened yet. */
export function emptyMinute(minute: number): Minute {
  return { ...EMPTY, minute }
}

/** Adds counts by key to others. */
export function addCounts(
  into: Record<string, number>,
  counts: Readonly<Record<string, number>>,
): void {
  for (const [key, count] of Object.entries(counts)) into[key] = (into[key] ?? 0) + count
}

/** Counts one more of a key; a literal with a computed key would take V8 some 5 µs, and it is done for every request. */
export function addOne(into: Record<string, number>, key: string | number): void {
  into[key] = (into[key] ?? 0) + 1
}

/** Counts one failed request; codes beyond 50 count as `other`. */
export function addError(minute: Minute, code: string): void {
  minute.errors ??= {}
  const isRoom = code in minute.errors || Object.keys(minute.errors).length < MOST_CODES
  addOne(minute.errors, isRoom ? code : 'other')
}

/** Notes a step of a start, unless there are too many already. */
export function addPhase(minute: Minute, phase: StartPhase, ms: number): void {
  minute.phases ??= []
  if (minute.phases.length < MOST_PHASES) minute.phases.push([phase, ms])
}

/** Adds what happened in other minutes, or in another part of the same one. */
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

/** The minute as one line of its file, in whole numbers and without what did not happen; undefined when nothing did. */
export function lineOf({ minute, ...metrics }: Minute): string | undefined {
  const counted = Object.entries(metrics)
    .map(([key, value]) => [key, typeof value === 'number' ? Math.round(value) : value] as const)
    .filter(([, value]) => Boolean(value))
  if (counted.length === 0) return undefined
  return JSON.stringify({ minute, ...Object.fromEntries(counted) })
}

/** Reads a line; undefined for one that is torn or holds something else. */
export function readMinute(line: string): Minute | undefined {
  const { data } = Minute.safeParse(jsonIn(line))
  // Always with the same fields, so that many of them take little memory.
  return data && { ...emptyMinute(data.minute), ...data }
}
