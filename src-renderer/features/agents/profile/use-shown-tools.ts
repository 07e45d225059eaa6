import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { RequestOutput } from '../../../../src-shared/ipc/contract/contract'
import { type Told, useRequest } from '../../../ipc/use-request'
import { useToolsState } from '../../../stores/tools-store'

/** What an agent is, or would be, shown. */
export type ShownTools = RequestOutput<'agent.tools'>

/** How long a profile rests before it is asked for, in ms: not every keystroke is a question. */
const REST_MS = 120

/** What an agent is shown with a profile; the last good answer stays until the next, and without a profile. */
export function useShownTools(
  agentId: string,
  profile: AgentProfile | undefined,
): Told<ShownTools> {
  const state = [useToolsState()]
  return useRequest('agent.tools', profile && { agentId, profile }, { state, restMs: REST_MS })
}
