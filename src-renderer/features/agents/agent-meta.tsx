import type { JSX } from 'react'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { useNow } from '../../stores/now'
import { usesWords } from '../../tool-parts/tool-words'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatMoment } from '../../ui/text/elapsed'
import { appWords, presenceWords } from './endpoint/agent-words'

/** What is known of an agent, in one line. */
export function AgentMeta({ agent }: { readonly agent: AgentView }): JSX.Element {
  const now = useNow(30_000)
  const { agentId, connections, calls, keyTail, createdAt } = agent
  const app = appWords(agent)
  return (
    <div className="pad-line fixed">
      <p className="flex wrap gap-4 rows-0 soft small num nowrap">
        <span className="row gap-2 slim">
          <StatusGlyph status={connections > 0 ? 'ready' : 'stopped'} />
          <b>{presenceWords(agent, now)}</b>
        </span>
        {app !== undefined && (
          <span className="cut">
            calls itself <b>{app}</b>
          </span>
        )}
        <span>
          <b>{usesWords(calls)}</b> since Patchbay started
        </span>
        <span>
          id <b>{agentId}</b>
        </span>
        <span>
          key ends in <b>{keyTail}</b>
        </span>
        <span>
          added <b>{formatMoment(createdAt, now)}</b>
        </span>
      </p>
    </div>
  )
}
