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
import { command, request } from './refs'

const AgentRef = z.object({ agentId: AgentId })
const AgentName = Agent.shape.name

/** Agents, what they are shown, and what they did. A key crosses once, in the answer that makes it. */
export const agentRequests = {
  /** Opens the gateway with the first. Rejects with NAME_TAKEN and SECRET_STORE_FAILED. */
  'agent.add': request(
    z.object({ name: AgentName, profile: AgentProfile.optional() }),
    z.object({ agentId: AgentId, key: z.string() }),
  ),
  /** A new key; the old one is void immediately. */
  'agent.renewKey': request(AgentRef, z.object({ key: z.string() })),
  'agent.rename': command(AgentRef.extend({ name: AgentName })),
  'agent.setProfile': command(AgentRef.extend({ profile: AgentProfile })),
  /** Revokes that tools pass without an approval: one of them, or all. */
  'agent.forgetAllowed': command(
    AgentRef.extend({
      tool: z.object({ installationId: InstallationId, tool: z.string().max(1_000) }).optional(),
    }),
  ),
  /** Cuts its connections and voids its key; the gateway closes with the last. */
  'agent.remove': command(AgentRef),
  /** What it is shown; of a profile that is not saved yet where one is given. */
  'agent.tools': request(
    AgentRef.extend({ profile: AgentProfile.optional() }),
    z.object({ tools: z.array(AgentTool), overCap: z.number().int() }),
  ),
  /** Tries to open the gateway again. */
  'gateway.retry': command(z.object({})),
  'activity.query': request(ActivityQuery, ActivityPage),
  /** Calls that have been under way for a moment, oldest first. */
  'activity.running': request(z.object({}), z.array(RunningCall)),
  /** Gives a call up: its agent and its server are notified. Nothing where it is over. */
  'activity.cancel': command(z.object({ runId: z.number().int() })),
  /** Of the last 24 h, in steps of half an hour. */
  'activity.counts': request(z.object({}), ActivityCounts),
  /** Calls that fit as JSON lines, newest first, about 1 MB at a time. */
  'activity.export': request(ActivityQuery.omit({ after: true, limit: true }), ActivityPart),
  'activity.clear': command(z.object({})),
}
