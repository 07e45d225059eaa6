import * as z from 'zod'

import { InstallationId } from '../installation/installation'

/** How a call that came through the gateway ended. */
export const CallOutcome = z.enum([
  /** The server answered with a result. */
  'ok',
  /** With a result that says `isError`. */
  'toolError',
  /** With a JSON-RPC error. */
  'refused',
  /** It never reached a server: garbled arguments, an unknown or hidden name. */
  'rejected',
  /** Its user said no, or did not answer. */
  'denied',
  'cancelled',
  /** No answer in time. */
  'timedOut',
  /** The server did not run, or ended meanwhile. */
  'unreachable',
])
export type CallOutcome = z.infer<typeof CallOutcome>

/** What the user or the agent itself ended is no failure. */
export const FAILED_OUTCOMES: readonly CallOutcome[] = CallOutcome.options.filter(
  (outcome) => !['ok', 'denied', 'cancelled'].includes(outcome),
)

/** One call, as the activity keeps it. */
export const Call = z.object({
  /** Counts up. */
  callId: z.number().int(),
  /** When it came, epoch ms. */
  at: z.number(),
  agentId: z.string(),
  agentName: z.string(),
  /** Of the server; missing where the name was of none. */
  installationId: InstallationId.optional(),
  serverName: z.string().optional(),
  /** What was asked, such as `tools/call`, `resources/read`. */
  method: z.string(),
  /** The server's own name of the tool or prompt, the URI of a resource, or what was asked for where there is no such. */
  target: z.string(),
  durationMs: z.number(),
  requestBytes: z.number().int(),
  resultBytes: z.number().int(),
  outcome: CallOutcome,
  /** Why it did not succeed; a sentence, secrets masked, cut. */
  message: z.string().optional(),
  /** JSON text, masked and cut; where the agent's profile keeps arguments. */
  arguments: z.string().optional(),
})
export type Call = z.infer<typeof Call>

/** A call that is under way. */
export const RunningCall = Call.pick({
  at: true,
  agentName: true,
  /** Missing until its server is known. */
  serverName: true,
  method: true,
  target: true,
}).extend({ runId: z.number().int() })
export type RunningCall = z.infer<typeof RunningCall>

/** Which calls to show, newest first. */
export const ActivityQuery = z.object({
  /** In target, server, agent, message and arguments. */
  text: z.string().max(200).default(''),
  agentId: z.string().max(64).optional(),
  installationId: InstallationId.optional(),
  outcomes: z.array(CallOutcome).max(20).default([]),
  /** Epoch ms, inclusive. */
  from: z.number().optional(),
  /** Epoch ms, exclusive. */
  to: z.number().optional(),
  /** Only calls older than this `callId`. */
  before: z.number().int().optional(),
  /** Only calls newer than this `callId`. */
  after: z.number().int().optional(),
  limit: z.number().int().min(1).max(500).default(100),
})
export type ActivityQuery = z.infer<typeof ActivityQuery>

/** A page of calls. */
export const ActivityPage = z.object({
  calls: z.array(Call),
  /** All that fit the query without its `before`. */
  total: z.number().int(),
  /** The newest `callId` of all calls when this page was read, whether it fits or not. */
  newest: z.number().int(),
})
export type ActivityPage = z.infer<typeof ActivityPage>

/** A part of exported calls. */
export const ActivityPart = z.object({
  /** JSON lines, newest first. */
  text: z.string(),
  count: z.number().int(),
  /** The rest is older than this `callId`; missing where nothing is left. */
  next: z.number().int().optional(),
})
export type ActivityPart = z.infer<typeof ActivityPart>

/** How many calls there were over the last 24 h, step by step. */
export const ActivityCounts = z.object({
  /** Epoch ms: from the begin of the first step; the last step is under way. */
  from: z.number(),
  stepMs: z.number(),
  /** Oldest first, one after the other without a gap. */
  steps: z.array(
    z.object({
      calls: z.number().int(),
      /** Of these, those that no server answered well; neither what a user rejected nor what was cancelled. */
      failed: z.number().int(),
    }),
  ),
})
export type ActivityCounts = z.infer<typeof ActivityCounts>

/** What changes with every call: a page of the activity is read again when it moves. */
export const ActivityState = z.object({
  /** The newest `callId`; 0 before the first. */
  newest: z.number().int(),
  kept: z.number().int(),
})
export type ActivityState = z.infer<typeof ActivityState>
