import * as z from 'zod'

import { InstallationId } from '../installation/installation'

/** How a call through the gateway ended. */
export const CallOutcome = z.enum([
  /** The server returned a result. */
  'ok',
  /** The server returned a result with `isError`. */
  'toolError',
  /** The server returned a JSON-RPC error. */
  'refused',
  /** The call never reached a server: garbled arguments, an unknown name or a hidden one. */
  'rejected',
  /** The user denied the call or did not respond. */
  'denied',
  'cancelled',
  /** No response within the time limit. */
  'timedOut',
  /** The server was not running, or stopped during the call. */
  'unreachable',
])
export type CallOutcome = z.infer<typeof CallOutcome>

/** Outcomes that count as failures. What the user or the agent ended is no failure. */
export const FAILED_OUTCOMES: readonly CallOutcome[] = CallOutcome.options.filter(
  (outcome) => !['ok', 'denied', 'cancelled'].includes(outcome),
)

/** A call as the activity stores it. */
export const Call = z.object({
  /** Rises by one with each call. */
  callId: z.number().int(),
  /** Time of arrival, epoch ms. */
  at: z.number(),
  agentId: z.string(),
  agentName: z.string(),
  /** Missing if the name belongs to no server. */
  installationId: InstallationId.optional(),
  serverName: z.string().optional(),
  /** Method of the request, such as `tools/call` or `resources/read`. */
  method: z.string(),
  /** The server's own name of the tool or prompt, the URI of a resource, or the requested name if there is no such element. */
  target: z.string(),
  durationMs: z.number(),
  requestBytes: z.number().int(),
  resultBytes: z.number().int(),
  outcome: CallOutcome,
  /** Why the call failed: one sentence, secrets masked, cut. */
  message: z.string().optional(),
  /** JSON text, masked and cut; present if the agent's profile keeps arguments. */
  arguments: z.string().optional(),
})
export type Call = z.infer<typeof Call>

/** A call in progress. */
export const RunningCall = Call.pick({
  at: true,
  agentName: true,
  /** Missing until the server is known. */
  serverName: true,
  method: true,
  target: true,
}).extend({ runId: z.number().int() })
export type RunningCall = z.infer<typeof RunningCall>

/** Which calls to return, newest first. */
export const ActivityQuery = z.object({
  /** Text to search for in target, server, agent, message and arguments. */
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
  /** Number of calls that match the query without `before`. */
  total: z.number().int(),
  /** The newest `callId` of all calls at the time of reading, whether it matches or not. */
  newest: z.number().int(),
})
export type ActivityPage = z.infer<typeof ActivityPage>

/** One part of an export of calls. */
export const ActivityPart = z.object({
  /** JSON lines, newest first. */
  text: z.string(),
  count: z.number().int(),
  /** Continue with calls older than this `callId`; missing if none is left. */
  next: z.number().int().optional(),
})
export type ActivityPart = z.infer<typeof ActivityPart>

/** Number of calls over the last 24 h, in steps. */
export const ActivityCounts = z.object({
  /** Epoch ms. Start of the first step; the last step is still in progress. */
  from: z.number(),
  stepMs: z.number(),
  /** Oldest first, without gaps. */
  steps: z.array(
    z.object({
      calls: z.number().int(),
      /** Calls that failed, without denied and cancelled ones. */
      failed: z.number().int(),
    }),
  ),
})
export type ActivityCounts = z.infer<typeof ActivityCounts>

/** Changes with every call, so that a page of the activity is read again. */
export const ActivityState = z.object({
  /** The newest `callId`; 0 before the first. */
  newest: z.number().int(),
  kept: z.number().int(),
})
export type ActivityState = z.infer<typeof ActivityState>
