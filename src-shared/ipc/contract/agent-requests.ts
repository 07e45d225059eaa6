import * as z from 'zod'

import {
  ActivityCounts,
  ActivityPage,
  ActivityPart,
  ActivityQuery,
  RunningCall,
} from '../../domain/agents/activity'
import { Agent, AgentId, AgentProfile, AgentTool } from '../../domain/agents/agent'
import { InstallationId } from '../../domain/installation/installation'
import type { Shapes } from './refs'

const AgentRef = z.object({ agentId: AgentId })
const AgentName = Agent.shape.name

/** Agents, what they are shown, and what they did. A key crosses once, in the answer that makes it. */
export const agentRequests = {
  /** Opens the gateway with the first. Rejects with NAME_TAKEN and SECRET_STORE_FAILED. */
  'agent.add': {
    input: z.object({ name: AgentName, profile: AgentProfile.optional() }),
    output: z.object({ agentId: AgentId, key: z.string() }),
  },
  /** A new key; the old one is void immediately. */
  'agent.renewKey': { input: AgentRef, output: z.object({ key: z.string() }) },
  'agent.rename': { input: AgentRef.extend({ name: AgentName }), output: z.void() },
  'agent.setProfile': { input: AgentRef.extend({ profile: AgentProfile }), output: z.void() },
  /** Revokes that tools pass without an approval: one of them, or all. */
  'agent.forgetAllowed': {
    input: AgentRef.extend({
      tool: z.object({ installationId: InstallationId, tool: z.string().max(1_000) }).optional(),
    }),
    output: z.void(),
  },
  /** Cuts its connections and voids its key; the gateway closes with the last. */
  'agent.remove': { input: AgentRef, output: z.void() },
  /** What it is shown; of a profile that is not saved yet where one is given. */
  'agent.tools': {
    input: AgentRef.extend({ profile: AgentProfile.optional() }),
    output: z.object({ tools: z.array(AgentTool), overCap: z.number().int() }),
  },
  /** Tries to open the gateway again. */
  'gateway.retry': { input: z.object({}), output: z.void() },
  'activity.query': { input: ActivityQuery, output: ActivityPage },
  /** Calls that have been under way for a moment, oldest first. */
  'activity.running': { input: z.object({}), output: z.array(RunningCall) },
  /** Gives a call up: its agent and its server are notified. Nothing where it is over. */
  'activity.cancel': { input: z.object({ runId: z.number().int() }), output: z.void() },
  /** Of the last 24 h, in steps of half an hour. */
  'activity.counts': { input: z.object({}), output: ActivityCounts },
  /** Calls that fit as JSON lines, newest first, about 1 MB at a time. */
  'activity.export': {
    input: ActivityQuery.omit({ after: true, limit: true }),
    output: ActivityPart,
  },
  'activity.clear': { input: z.object({}), output: z.void() },
} satisfies Record<string, Shapes>
