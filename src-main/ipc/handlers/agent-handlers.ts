import type { OpenActivity } from '../../patchbay/parts/open-activity'
import type { OpenGateway } from '../../patchbay/parts/open-gateway'
import type { Handlers } from '../answer'

export type AgentParts = { readonly gateway: OpenGateway; readonly activity: OpenActivity }

/** Answers what concerns agents, their endpoint and what they did. */
export function agentHandlers({
  gateway,
  activity,
}: AgentParts): Pick<
  Handlers,
  Extract<keyof Handlers, `agent.${string}` | `gateway.${string}` | `activity.${string}`>
> {
  const { agents } = gateway
  return {
    'agent.add': ({ name, profile }) => agents.add(name, profile ?? gateway.newProfile()),
    'agent.renewKey': async ({ agentId }) => ({ key: await agents.renewKey(agentId) }),
    'agent.rename': ({ agentId, name }) => agents.rename(agentId, name),
    'agent.setProfile': ({ agentId, profile }) => agents.setProfile(agentId, profile),
    'agent.forgetAllowed': ({ agentId, tool }) => gateway.forgetAllowed(agentId, tool),
    'agent.remove': ({ agentId }) => agents.remove(agentId),
    'agent.tools': ({ agentId, profile }) => {
      const { tools, overCap } = gateway.shownTo(agentId, profile)
      return { tools: [...tools], overCap }
    },
    'gateway.retry': () => gateway.retry(),
    'activity.query': (query) => activity.query(query),
    'activity.running': () => gateway.running.list,
    'activity.cancel': ({ runId }) => gateway.running.cancel(runId),
    'activity.counts': () => activity.counts(),
    'activity.export': (filter) => activity.export(filter),
    'activity.clear': () => activity.clear(),
  }
}
