import type { JSX } from 'react'
import { Link } from 'wouter'

import type { ActivityCounts } from '../../../src-shared/domain/agents/activity'
import type { AgentView } from '../../../src-shared/domain/agents/agent'
import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import { largestParts, partsText, ToolMeter } from '../../components/app/tool-meter'
import { limitMessage, useAppLimits } from '../../components/tool/app-limits'
import { useRequest } from '../../ipc/use-request'
import { useApp, useNow, useServers } from '../../stores/app-store'
import { useToolsState } from '../../stores/tools-store'
import { SectionHeader } from '../../ui/layout/section'
import { Tile } from '../../ui/marks/tile'
import { counted, formatCount, formatMoment, formatTime } from '../../ui/text/format'

const BAR = 4.5
const STEP = 6
const HEIGHT = 80
/** Minimum height of a bar, so that a single call among many is visible. */
const LEAST = 2

function barHeight(count: number, max: number): number {
  return count === 0 ? 0 : Math.max(LEAST, (count / max) * HEIGHT)
}

function CallChart({ counts }: { readonly counts: ActivityCounts }): JSX.Element {
  const { from, stepMs, steps } = counts
  const max = Math.max(1, ...steps.map(({ calls }) => calls))
  const width = steps.length * STEP
  return (
    <>
      <svg
        className="mt-2 block w-full"
        height="5.5rem"
        viewBox={`0 0 ${width} ${HEIGHT + 1}`}
        preserveAspectRatio="none"
        fill="var(--chart)"
        role="img"
        aria-label={chartText(counts)}
      >
        {steps.map(({ calls, failed }, index) => {
          const [all, failedHeight] = [barHeight(calls, max), barHeight(failed, max)]
          const barProps = { x: index * STEP, width: BAR, rx: 1 }
          return (
            <g key={from + index * stepMs}>
              <rect {...barProps} y={HEIGHT - all} height={all} />
              <rect
                {...barProps}
                y={HEIGHT - failedHeight}
                height={failedHeight}
                fill="var(--error)"
              />
            </g>
          )
        })}
        <rect fill="var(--line)" x={0} y={HEIGHT} width={width} height={1} />
      </svg>
      <div className="mt-1 flex justify-between text-micro text-faint tabular-nums" aria-hidden>
        <span>{formatTime(from)}</span>
        <span>{formatTime(from + (stepMs * steps.length) / 2)}</span>
        <span>now</span>
      </div>
    </>
  )
}

/** Interval at which the chart moves on without new calls, in ms. */
const EVERY_MS = 300_000

function Calls(): JSX.Element {
  const { newest, kept } = useApp(({ app }) => app?.activity) ?? {}
  const { value, problem } = useRequest(
    'activity.counts',
    {},
    { state: [newest, kept], pollMs: EVERY_MS },
  )
  const sum = value && sumOf(value)
  return (
    <section aria-labelledby="calls-head">
      <SectionHeader id="calls-head" title="Calls, 24 h">
        <Link href="/activity">Activity</Link>
      </SectionHeader>
      <p className="text-page font-medium text-foreground tabular-nums">
        {sum ? formatCount(sum.calls) : '–'}
      </p>
      {value && sum && sum.calls > 0 && <CallChart counts={value} />}
      <p className="mt-1 text-small text-faint">
        {problem ? problem.message : sum ? outcomeText(sum) : 'Counting calls.'}
      </p>
    </section>
  )
}

const NAMED = 2

function Budget({ tools }: { readonly tools: ToolsState }): JSX.Element {
  const servers = useServers()
  const limits = useAppLimits()
  const { exposed } = tools
  const names = new Map(servers.map(({ installationId, name }) => [installationId, name]))
  const toolParts = tools.servers.flatMap(({ installationId, exposed: count }) => {
    const name = names.get(installationId)
    return name === undefined ? [] : [{ name, count }]
  })
  const parts = largestParts(toolParts, NAMED)
  const limitText = limitMessage(limits)
  const end = Math.max(1, exposed, ...limits.map(({ limit }) => limit))
  return (
    <section aria-labelledby="budget-head">
      <SectionHeader id="budget-head" title="Tool budget">
        <Link href="/tools" className="tabular-nums">
          {formatCount(exposed)}
        </Link>
      </SectionHeader>
      <ToolMeter label={`${counted(exposed, 'tool')} available to agents`} {...{ parts, end }} />
      <p className="mt-1 text-small text-faint tabular-nums">
        {exposed === 0 ? 'Tools available to agents appear here.' : partsText(parts, tools.tokens)}
      </p>
      {limitText !== '' && (
        <p className="is-degraded mt-1 text-small text-status tabular-nums">{limitText}</p>
      )}
    </section>
  )
}

const MAX_APPS = 5

function Presence({ agent }: { readonly agent: AgentView }): JSX.Element {
  const now = useNow(agent.lastSeenAt === undefined ? 0 : 60_000)
  if (agent.connections > 0) return <span className="text-faint">Connected</span>
  return (
    <span className="text-faint tabular-nums">
      {agent.lastSeenAt === undefined ? 'Never connected' : formatMoment(agent.lastSeenAt, now)}
    </span>
  )
}

function Apps(): JSX.Element {
  const agents = useApp(({ app }) => app?.agents.agents) ?? []
  return (
    <section aria-labelledby="apps-head">
      <SectionHeader id="apps-head" title="Apps">
        <Link href="/apps">{agents.length === 0 ? 'Connect an app' : 'All apps'}</Link>
      </SectionHeader>
      {agents.length === 0 ? (
        <p className="mt-1 text-small text-faint">Connected apps appear here.</p>
      ) : (
        <ul className="roll divide-y divide-line">
          {agents.slice(0, MAX_APPS).map((agent) => (
            <li key={agent.agentId} className="flex items-center gap-2">
              <Tile name={agent.name} />
              <Link
                href={`/apps/${encodeURIComponent(agent.agentId)}`}
                className="truncate flex-1 font-medium text-foreground"
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

/** The sidebar: calls of agents, their tools, and the agents. */
export function HomeSide(): JSX.Element {
  const tools = useToolsState()
  return (
    <div className="fit-columns min-w-0 gap-6">
      <Calls />
      {tools && <Budget tools={tools} />}
      <Apps />
    </div>
  )
}

/** Sums all calls and failures of the day. */
export function sumOf({ steps }: Pick<ActivityCounts, 'steps'>): {
  readonly calls: number
  readonly failed: number
} {
  return {
    calls: steps.reduce((sum, { calls }) => sum + calls, 0),
    failed: steps.reduce((sum, { failed }) => sum + failed, 0),
  }
}

/** Returns the number of failures as a sentence. */
export function outcomeText({ calls, failed }: ReturnType<typeof sumOf>): string {
  if (calls === 0) return 'Tool calls of the last 24 hours appear here.'
  if (failed === 0) return 'All calls succeeded.'
  return `${counted(failed, 'call')} failed.`
}

/** Returns the chart as text: "Calls each half hour: 0 to 66, most at 14:30." */
export function chartText({ from, stepMs, steps }: ActivityCounts): string {
  const most = Math.max(0, ...steps.map(({ calls }) => calls))
  if (most === 0) return 'No calls.'
  const least = Math.min(...steps.map(({ calls }) => calls))
  const at = formatTime(from + stepMs * steps.findIndex(({ calls }) => calls === most))
  return `Calls per half hour: ${formatCount(least)} to ${formatCount(most)}, most at ${at}.`
}
