import type { JSX } from 'react'
import { Link } from 'wouter'

import type { AgentView } from '../../../src-shared/domain/agents/agent'
import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { limitSentence } from '../../components/tool/app-limits'
import { useAppLimits } from '../../components/tool/use-app-limits'
import { useApp, useServers } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { useToolsState } from '../../stores/tools-store'
import { PartHead } from '../../ui/layout/part-head'
import { Tile } from '../../ui/marks/tile'
import { counted, formatCount, formatMoment } from '../../ui/text/format'
import { budgetParts, budgetWords } from './budget-parts'
import { CallChart } from './call-chart'
import { outcomeWords, sumOf } from './call-messages'
import { useCallCounts } from './use-call-counts'

function Calls(): JSX.Element {
  const { value, problem } = useCallCounts()
  const sum = value && sumOf(value)
  return (
    <section aria-labelledby="calls-head">
      <PartHead id="calls-head" title="Calls, 24 h">
        <Link href="/activity">Activity</Link>
      </PartHead>
      <p className="headline medium ink num">{sum ? formatCount(sum.calls) : '–'}</p>
      {value && sum && sum.calls > 0 && <CallChart counts={value} />}
      <p className="above-1 faint small">
        {problem ? problem.message : sum ? outcomeWords(sum) : 'Counting calls.'}
      </p>
    </section>
  )
}

function Budget({ tools }: { readonly tools: ToolsState }): JSX.Element {
  const servers = useServers()
  const limits = useAppLimits()
  const { exposed } = tools
  const names = new Map(servers.map(({ installationId, name }) => [installationId, name]))
  const parts = budgetParts(tools, names)
  const over = limitSentence(limits)
  const end = Math.max(1, exposed, ...limits.map(({ limit }) => limit))
  return (
    <section aria-labelledby="budget-head">
      <PartHead id="budget-head" title="Tool budget">
        <Link href="/tools" className="num">
          {formatCount(exposed)}
        </Link>
      </PartHead>
      <div
        className="meter pressed clip flex"
        role="img"
        aria-label={`${counted(exposed, 'tool')} available to agents`}
      >
        {parts.map(({ key, count }) => (
          <span key={key} style={{ width: `${(100 * count) / end}%` }} />
        ))}
      </div>
      <p className="above-1 faint small num">{budgetWords(tools, parts)}</p>
      {over !== '' && <p className="above-1 tone is-degraded small num">{over}</p>}
    </section>
  )
}

/** The Apps page lists the others. */
const MOST_APPS = 5

function Presence({ agent }: { readonly agent: AgentView }): JSX.Element {
  const now = useNow(agent.lastSeenAt === undefined ? 0 : 60_000)
  if (agent.connections > 0) return <span className="faint">connected</span>
  return (
    <span className="faint num">
      {agent.lastSeenAt === undefined ? 'never connected' : formatMoment(agent.lastSeenAt, now)}
    </span>
  )
}

function Apps(): JSX.Element {
  const agents = useApp(({ app }) => app?.agents.agents) ?? []
  return (
    <section aria-labelledby="apps-head">
      <PartHead id="apps-head" title="Apps">
        <Link href="/apps">{agents.length === 0 ? 'Connect an app' : 'All apps'}</Link>
      </PartHead>
      {agents.length === 0 ? (
        <p className="above-1 faint small">Connected apps appear here.</p>
      ) : (
        <ul className="roll divided">
          {agents.slice(0, MOST_APPS).map((agent) => (
            <li key={agent.agentId} className="row gap-2">
              <Tile name={agent.name} />
              <Link
                href={`/apps/${encodeURIComponent(agent.agentId)}`}
                className="grow medium ink cut"
              >
                {agent.name}
              </Link>
              <Presence agent={agent} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Beside the answer: what agents did, what they are shown, and who they are. */
export function HomeSide(): JSX.Element {
  const tools = useToolsState()
  return (
    <div className="home-side beside gap-6 slim">
      <Calls />
      {tools && <Budget tools={tools} />}
      <Apps />
    </div>
  )
}
