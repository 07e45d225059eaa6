import * as z from 'zod'

import { InstallationId } from '../installation/installation'
import { StartPhase } from './run-status'

/** Range of metrics: one hour, six, or everything that is kept. */
export const MetricsRange = z.enum(['1h', '6h', '24h'])
export type MetricsRange = z.infer<typeof MetricsRange>

const Count = z.number().int().nonnegative()

/** Latency of requests in ms: from the request to the complete response, success or error. */
export const LatencySummary = z.object({ p50: z.number(), p95: z.number() })
export type LatencySummary = z.infer<typeof LatencySummary>

/** Measurements of one time step; what was not measured is missing. */
export const MetricsStep = z.object({
  /** Start of the step, epoch ms. */
  at: z.number(),
  /** Time in Ready or Degraded, in ms. */
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
  /** Mean CPU use of the tree: 100 is one core. */
  cpuPercent: z.number().optional(),
})
export type MetricsStep = z.infer<typeof MetricsStep>

/** Current resource use of a running server's process tree. */
export const TreeUse = z.object({
  processes: Count,
  rssBytes: z.number(),
  cpuPercent: z.number().optional(),
})
export type TreeUse = z.infer<typeof TreeUse>

/** Durations of one step of the starts in the range, if it ran, in ms. */
export const PhaseTimes = z.object({
  phase: StartPhase,
  count: Count,
  lastMs: z.number(),
  medianMs: z.number(),
})
export type PhaseTimes = z.infer<typeof PhaseTimes>

/** Metrics of one server over a range of the last 24 h. */
export const ServerMetrics = z.object({
  installationId: InstallationId,
  name: z.string(),
  /** Epoch ms: from the start of the first step until now; the last step is in progress. */
  from: z.number(),
  to: z.number(),
  stepMs: z.number(),
  /** Oldest first, without gaps, at most 120. */
  steps: z.array(MetricsStep),
  totals: MetricsStep.omit({ at: true, rssBytes: true, cpuPercent: true }).extend({
    starts: Count,
    /** Automatic starts after a failed start or a loss. */
    restarts: Count,
    losses: Count,
    /** By error code, most frequent first; codes beyond 50 are summed in `other`. */
    errorsByCode: z.array(z.object({ code: z.string(), count: Count })),
  }),
  phases: z.array(PhaseTimes),
  now: TreeUse.optional(),
})
export type ServerMetrics = z.infer<typeof ServerMetrics>
