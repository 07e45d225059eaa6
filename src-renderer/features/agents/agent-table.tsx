import type { JSX } from 'react'
import { Link } from 'wouter'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import { useNow } from '../../stores/now'
import { tokensWords } from '../../tool-parts/tool-words'
import { WarnText } from '../../ui/fields/warn-text'
import { leadRows } from '../../ui/focus/lead-rows'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { formatCount } from '../../ui/text/elapsed'
import { appWords, limitWords, overCapWords, presenceWords } from './endpoint/agent-words'

function Shown({ agent }: { readonly agent: AgentView }): JSX.Element {
  const { name, exposed, overCap, profile } = agent
  const warning =
    limitWords(name, profile.appLimit, exposed) ?? overCapWords(overCap, profile.toolCap)
  return (
    <td className="agent-shown">
      <span className="num">
        {profile.searchMode
          ? `${formatCount(exposed)}, searched`
          : `${formatCount(exposed)} of ${formatCount(profile.toolCap)}`}
      </span>
      {warning !== undefined && <WarnText>{warning}</WarnText>}
    </td>
  )
}

function Row({ agent, now }: { readonly agent: AgentView; readonly now: number }): JSX.Element {
  const { agentId, name, connections, tokens, calls, errors, profile } = agent
  return (
    <tr>
      <th scope="row" className="narrow">
        <span className="row gap-2 slim">
          <StatusGlyph status={connections > 0 ? 'ready' : 'stopped'} />
          <Link href={`/agents/${agentId}`} className="cut medium ink">
            {name}
          </Link>
        </span>
      </th>
      <td className="soft">{presenceWords(agent, now)}</td>
      <td className="soft narrow hide-narrow">
        <span className="cut block">{appWords(agent) ?? '–'}</span>
      </td>
      <Shown agent={agent} />
      <td className="right num soft hide-narrow">
        {profile.searchMode ? '–' : tokensWords(tokens)}
      </td>
      <td className="right num soft hide-small">{formatCount(calls)}</td>
      <td className={errors > 0 ? 'right num' : 'right num soft'}>{formatCount(errors)}</td>
    </tr>
  )
}

/** One row for each agent: whether it is there, what it is shown and how much it calls. */
export function AgentTable({ agents }: { readonly agents: readonly AgentView[] }): JSX.Element {
  const now = useNow(30_000)
  return (
    <table className="grid-table" aria-label="Agents">
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">State</th>
          <th scope="col" className="hide-narrow">
            Calls itself
          </th>
          <th scope="col">Tools</th>
          <th scope="col" className="right hide-narrow">
            Tokens
          </th>
          <th scope="col" className="right hide-small">
            Calls
          </th>
          <th scope="col" className="right">
            Errors
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={leadRows}>
        {agents.map((agent) => (
          <Row key={agent.agentId} agent={agent} now={now} />
        ))}
      </tbody>
    </table>
  )
}
