import * as z from 'zod'

import { StartPhase } from './run-status'

const Version = z.string().max(200)

/** Events of a server; sentences are masked and cut. */
export const HistoryFact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('installed'), version: Version }),
  z.object({ kind: z.literal('updated'), from: Version, to: Version }),
  /** The user reverted an update, or returned to the version that a revert had left. */
  z.object({ kind: z.literal('wentBack'), from: Version, to: Version }),
  /** The user approved the exact command, address or environment. */
  z.object({ kind: z.literal('approved') }),
  /** The changes in a few words each, never a value. */
  z.object({ kind: z.literal('configured'), changed: z.array(z.string().max(200)).max(50) }),
  z.object({ kind: z.literal('enabled') }),
  z.object({ kind: z.literal('disabled') }),
  z.object({ kind: z.literal('started'), isByItself: z.boolean() }),
  /** Includes the steps of the start, in ms. */
  z.object({
    kind: z.literal('ready'),
    phases: z.array(z.object({ phase: StartPhase, ms: z.number() })).max(10),
  }),
  /** The start failed, or the session was lost. */
  z.object({
    kind: z.literal('failed'),
    code: z.string().max(100),
    message: z.string().max(500),
    wasRunning: z.boolean(),
  }),
  /** The runner's copy of its package was deleted to be fetched again. */
  z.object({ kind: z.literal('repaired') }),
  z.object({ kind: z.literal('signInNeeded') }),
  z.object({ kind: z.literal('signedIn') }),
  z.object({ kind: z.literal('signedOut') }),
  z.object({ kind: z.literal('stopped'), isByPerson: z.boolean() }),
  /** Number of new or changed tools that wait for a decision. */
  z.object({ kind: z.literal('toolsHeld'), count: z.number().int() }),
  z.object({ kind: z.literal('toolsDecided') }),
])
export type HistoryFact = z.infer<typeof HistoryFact>

/** One event in the history of a server. */
export const HistoryEvent = z.object({
  /** Rises by one within a server. */
  eventId: z.number().int().positive(),
  /** Epoch ms. */
  at: z.number(),
  fact: HistoryFact,
})
export type HistoryEvent = z.infer<typeof HistoryEvent>

/** A page of a server's history, newest first. */
export const HistoryPage = z.object({
  events: z.array(HistoryEvent),
  total: z.number().int(),
})
export type HistoryPage = z.infer<typeof HistoryPage>

/** A failure of a server, for a list of all servers. */
export const RecentFailure = HistoryEvent.extend({ installationId: z.string() })
export type RecentFailure = z.infer<typeof RecentFailure>

/** A failure that a server recovered from automatically. */
export const Recovery = z.object({
  installationId: z.string(),
  /** Event of the failure. */
  eventId: z.number().int(),
  /** Time of the failure and time of the recovery, epoch ms. */
  failedAt: z.number(),
  at: z.number(),
  message: z.string(),
})
export type Recovery = z.infer<typeof Recovery>
