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

/** Requests on agents, their tools and their calls. A key is sent once, in the response that creates it. */
export const agentRequests = {
  /** Opens the gateway for the first agent. Rejects with NAME_TAKEN and SECRET_STORE_FAILED. */
  'agent.add': request(
    z.object({ name: AgentName, profile: AgentProfile.optional() }),
    z.object({ agentId: AgentId, key: z.string() }),
  ),
  /** Creates a new key; the old one is invalid immediately. */
  'agent.renewKey': request(AgentRef, z.object({ key: z.string() })),
  'agent.rename': command(AgentRef.extend({ name: AgentName })),
  'agent.setProfile': command(AgentRef.extend({ profile: AgentProfile })),
  /** Revokes permanent approvals of tools: one of them, or all. */
  'agent.forgetAllowed': command(
    AgentRef.extend({
      tool: z.object({ installationId: InstallationId, tool: z.string().max(1_000) }).optional(),
    }),
  ),
  /** Closes its connections and invalidates its key; the gateway closes after the last agent. */
  'agent.remove': command(AgentRef),
  /** Returns its tools, or those of the given unsaved profile. */
  'agent.tools': request(
    AgentRef.extend({ profile: AgentProfile.optional() }),
    z.object({ tools: z.array(AgentTool), overCap: z.number().int() }),
  ),
  /** Retries opening the gateway. */
  'gateway.retry': command(z.object({})),
  'activity.query': request(ActivityQuery, ActivityPage),
  /** Calls in progress for more than a moment, oldest first. */
  'activity.running': request(z.object({}), z.array(RunningCall)),
  /** Cancels a call: its agent and its server are notified. No effect if it has ended. */
  'activity.cancel': command(z.object({ runId: z.number().int() })),
  /** Last 24 h, in steps of half an hour. */
  'activity.counts': request(z.object({}), ActivityCounts),
  /** Matching calls as JSON lines, newest first, about 1 MB per response. */
  'activity.export': request(ActivityQuery.omit({ after: true, limit: true }), ActivityPart),
  'activity.clear': command(z.object({})),
}
