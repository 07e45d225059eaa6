import { useEffect, useState } from 'react'

import type { AgentProfile } from '../../../../src-shared/domain/agents/agent'
import type { AppErrorShape } from '../../../../src-shared/domain/app-error'
import type { RequestOutput } from '../../../../src-shared/ipc/contract/contract'
import { call, toErrorShape } from '../../../ipc/call'
import { useToolsState } from '../../../stores/tools-store'

/** What an agent is, or would be, shown. */
export type ShownTools = RequestOutput<'agent.tools'>

/** How long a profile rests before it is asked for, in ms: not every keystroke is a question. */
const REST_MS = 120

/** What an agent is shown with a profile; the last good answer stays until the next, and without a profile. */
export function useShownTools(
  agentId: string,
  profile: AgentProfile | undefined,
): { readonly shown: ShownTools | undefined; readonly problem: AppErrorShape | undefined } {
  const tools = useToolsState()
  const [shown, setShown] = useState<ShownTools | undefined>(undefined)
  const [problem, setProblem] = useState<AppErrorShape | undefined>(undefined)
  const asked = profile && JSON.stringify(profile)
  useEffect(() => {
    if (asked === undefined) return undefined
    let isCurrent = true
    const timer = setTimeout(() => {
      call('agent.tools', { agentId, profile: JSON.parse(asked) as AgentProfile }).then(
        (answer) => {
          if (!isCurrent) return
          setShown(answer)
          setProblem(undefined)
        },
        (thrown: unknown) => {
          if (isCurrent) setProblem(toErrorShape(thrown))
        },
      )
    }, REST_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [agentId, asked, tools])
  return { shown, problem }
}
