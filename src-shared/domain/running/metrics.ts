import * as z from 'zod'

import { InstallationId } from '../installation/installation'
import { StartPhase } from './run-status'

/** How far back metrics are read: an hour, six, or all that is kept. */
export const MetricsRange = z.enum(['1h', '6h', '24h'])
export type MetricsRange = z.infer<typeof MetricsRange>

const Count = z.number().int().nonnegative()

/** Latency of requests in ms: the time from asking to the whole answer, good or bad. */
export const LatencySummary = z.object({ p50: z.number(), p95: z.number() })
export type LatencySummary = z.infer<typeof LatencySummary>

/** What happened in one step of the time; what was not measured is missing. */
export const MetricsStep = z.object({
  /** Epoch ms of its begin. */
  at: z.number(),
  /** How long it was Ready or Degraded, in ms. */
  upMs: z.number(),
  requests: Count,
  errors: Count,
  latency: LatencySummary.optional(),
  bytesIn: Count,
  bytesOut: Count,
  stderrLines: Count,
  /** Lines on stdout that are no messages. */
  noiseLines: Count,
  /** Largest resident memory of the whole process tree, in bytes. */
  rssBytes: z.number().optional(),
  /** Mean use of the processors by the tree: 100 is one core. */
  cpuPercent: z.number().optional(),
})
export type MetricsStep = z.infer<typeof MetricsStep>

/** The tree of a running server at this moment. */
export const TreeUse = z.object({
  processes: Count,
  rssBytes: z.number(),
  cpuPercent: z.number().optional(),
})
export type TreeUse = z.infer<typeof TreeUse>

/** Durations of one step of the starts in the range, where it was done, in ms. */
export const PhaseTimes = z.object({
  phase: StartPhase,
  count: Count,
  lastMs: z.number(),
  medianMs: z.number(),
})
export type PhaseTimes = z.infer<typeof PhaseTimes>

/** The metrics of one server over a range of the last 24 h. */
export const ServerMetrics = z.object({
  installationId: InstallationId,
  name: z.string(),
  /** Epoch ms: from the begin of the first step to now; the last step is under way. */
  from: z.number(),
  to: z.number(),
  stepMs: z.number(),
  /** Oldest first, one after the other without a gap, at most 120. */
  steps: z.array(MetricsStep),
  totals: MetricsStep.omit({ at: true, rssBytes: true, cpuPercent: true }).extend({
    starts: Count,
    /** Starts automatically, after a failed start or a loss. */
    restarts: Count,
    losses: Count,
    /** By the code of the failure, most first; what is beyond 50 codes is in `other`. */
    errorsByCode: z.array(z.object({ code: z.string(), count: Count })),
  }),
  phases: z.array(PhaseTimes),
  now: TreeUse.optional(),
})
export type ServerMetrics = z.infer<typeof ServerMetrics>
