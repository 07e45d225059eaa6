import * as z from 'zod'

import { StartPhase } from './run-status'

const Version = z.string().max(200)

/** What can happen to a server; sentences are masked and cut. */
export const HistoryFact = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('installed'), version: Version }),
  z.object({ kind: z.literal('updated'), from: Version, to: Version }),
  /** The user took an update back, or went on to what they had left that way. */
  z.object({ kind: z.literal('wentBack'), from: Version, to: Version }),
  /** The user approved the exact command, address or environment. */
  z.object({ kind: z.literal('approved') }),
  /** What was changed, in a few words each; never a value. */
  z.object({ kind: z.literal('configured'), changed: z.array(z.string().max(200)).max(50) }),
  z.object({ kind: z.literal('enabled') }),
  z.object({ kind: z.literal('disabled') }),
  z.object({ kind: z.literal('started'), isByItself: z.boolean() }),
  /** With the steps of the start that were gone through, in ms. */
  z.object({
    kind: z.literal('ready'),
    phases: z.array(z.object({ phase: StartPhase, ms: z.number() })).max(10),
  }),
  /** It did not start, or was lost while it ran. */
  z.object({
    kind: z.literal('failed'),
    code: z.string().max(100),
    message: z.string().max(500),
    wasRunning: z.boolean(),
  }),
  /** What a runner keeps of its package was taken away, to be fetched again. */
  z.object({ kind: z.literal('repaired') }),
  z.object({ kind: z.literal('signInNeeded') }),
  z.object({ kind: z.literal('signedIn') }),
  z.object({ kind: z.literal('signedOut') }),
  z.object({ kind: z.literal('stopped'), isByPerson: z.boolean() }),
  /** New or changed tools wait for a decision: how many. */
  z.object({ kind: z.literal('toolsHeld'), count: z.number().int() }),
  z.object({ kind: z.literal('toolsDecided') }),
])
export type HistoryFact = z.infer<typeof HistoryFact>

/** One thing that happened to a server. */
export const HistoryEvent = z.object({
  /** Counts up within a server. */
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

/** A failure of a server, for a list over all. */
export const RecentFailure = HistoryEvent.extend({ installationId: z.string() })
export type RecentFailure = z.infer<typeof RecentFailure>

/** A failure that a server came back from automatically. */
export const Recovery = z.object({
  installationId: z.string(),
  /** Of the failure. */
  eventId: z.number().int(),
  /** Epoch ms, of the failure and of the moment that it was ready again. */
  failedAt: z.number(),
  at: z.number(),
  message: z.string(),
})
export type Recovery = z.infer<typeof Recovery>
