import clsx from 'clsx'
import { PlugZap } from 'lucide-react'
import type { JSX } from 'react'
import { Link } from 'wouter'

import type { AgentView, GatewayStatus } from '../../../src-shared/domain/agents/agent'
import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { toolsWords } from '../../components/tool/tool-messages'
import { useApp } from '../../stores/app-store'
import { useToolsState } from '../../stores/tools-store'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { monogramOf } from '../../ui/marks/tile'
import { counted, formatCount } from '../../ui/text/format'
import { STATUS_WORD } from '../../ui/text/status-messages'

/** More do not fit side by side; the count beside them tells of all. */
const MOST_SERVERS = 10
const MOST_AGENTS = 4

const STROKE = {
  fill: 'none',
  strokeWidth: 2,
  strokeLinecap: 'round',
} as const

/** As thick as it is drawn, however wide the cable is. */
const STEADY = { vectorEffect: 'non-scaling-stroke' } as const

/** A cable: whole where something can come through. */
function Cable({ isLive }: { readonly isLive: boolean }): JSX.Element {
  return (
    <svg
      className="cable whole hide-small"
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      aria-hidden
      stroke={isLive ? 'var(--accent)' : 'var(--line-strong)'}
      {...STROKE}
    >
      <path d="M0 6C24 25 76 25 100 6" strokeDasharray={isLive ? undefined : '2 5'} {...STEADY} />
      <path d="M0 6h0M100 6h0" strokeWidth={8} {...STEADY} />
      <path d="M0 6h0M100 6h0" strokeWidth={4} stroke="var(--bg-subtle)" {...STEADY} />
    </svg>
  )
}

function More({ count }: { readonly count: number }): JSX.Element | null {
  return count > 0 ? <span className="faint num small">{`+${formatCount(count)}`}</span> : null
}

/** What was found on this computer, and is not a part of Patchbay yet. */
export type Found = { readonly servers: number; readonly apps: number }

function FoundEnd({
  title,
  count,
}: {
  readonly title: string
  readonly count: number
}): JSX.Element {
  return (
    <p className="tight faint nowrap num">
      <b className="block ink">{title}</b>
      <span className="small">{count === 0 ? 'None yet' : `${formatCount(count)} found`}</span>
    </p>
  )
}

function ServerEnd({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  const ready = servers.filter(({ status: { kind } }) => kind === 'ready').length
  return (
    <div className="row gap-3 slim">
      <p className="fixed tight faint nowrap num">
        <b className="block ink">{counted(servers.length, 'server')}</b>
        <span className="small">{formatCount(ready)} ready</span>
      </p>
      <div className="row wrap gap-1">
        {servers.slice(0, MOST_SERVERS).map(({ installationId, name, status: { kind } }) => (
          <Link
            key={installationId}
            className={`jack lights centered surface is-${kind}`}
            href={`/servers/${installationId}`}
            title={`${name}: ${STATUS_WORD[kind]}`}
            aria-label={`Go to ${name}, ${STATUS_WORD[kind]}`}
          >
            <StatusGlyph status={kind} />
          </Link>
        ))}
        <More count={servers.length - MOST_SERVERS} />
      </div>
    </div>
  )
}

const GATE: Readonly<Record<GatewayStatus['kind'], string>> = {
  off: 'closed',
  opening: 'opening',
  open: '',
  failed: 'failed',
}

function AgentEnd({ agents }: { readonly agents: readonly AgentView[] }): JSX.Element {
  const connected = agents.filter(({ connections }) => connections > 0).length
  return (
    <div className="row gap-3 slim">
      {agents.length > 0 && (
        <div className="row wrap gap-1">
          {agents.slice(0, MOST_AGENTS).map(({ agentId, name }) => (
            <Link
              key={agentId}
              className="jack lights centered surface"
              href={`/apps/${encodeURIComponent(agentId)}`}
              title={name}
              aria-label={`Go to ${name}`}
            >
              <span className="soft micro medium">{monogramOf(name)}</span>
            </Link>
          ))}
          <More count={agents.length - MOST_AGENTS} />
        </div>
      )}
      <p className="tight faint nowrap num">
        <b className="block ink">
          {agents.length === 0 ? 'No apps' : counted(agents.length, 'app')}
        </b>
        <span className="small">
          {agents.length === 0 ? (
            <Link href="/apps">Connect an app</Link>
          ) : (
            `${formatCount(connected)} connected`
          )}
        </span>
      </p>
    </div>
  )
}

/** The way of a call in one line: servers, Patchbay's gateway, agents. */
export function ConnectionOverview({
  servers,
  found,
}: {
  readonly servers: readonly ServerView[]
  /** Stands at an end that has nothing yet. */
  readonly found?: Found
}): JSX.Element | null {
  const state = useApp(({ app }) => app?.agents)
  const exposed = useToolsState()?.exposed ?? 0
  if (!state) return null
  const { gateway, agents } = state
  const works = servers.some(({ status }) => isWorking(status))
  const isOpen = gateway.kind === 'open'
  return (
    <div
      className="bay box pad-bar subtle stack level rows-2"
      role="group"
      aria-label="Connection overview"
    >
      {found && servers.length === 0 ? (
        <FoundEnd title="Your servers" count={found.servers} />
      ) : (
        <ServerEnd servers={servers} />
      )}
      <Cable isLive={works && isOpen} />
      <div className={clsx('bay-gate row gap-2 surface', gateway.kind === 'failed' && 'is-error')}>
        <PlugZap className="icon soft" aria-hidden />
        <p className="tight faint nowrap num">
          <b className="block ink">{found ? 'Patchbay' : 'Gateway'}</b>
          <span className="small">
            {found ? toolsWords(exposed) : GATE[gateway.kind] || toolsWords(exposed)}
          </span>
        </p>
      </div>
      <Cable isLive={isOpen && agents.length > 0} />
      {found && agents.length === 0 ? (
        <FoundEnd title="Your apps" count={found.apps} />
      ) : (
        <AgentEnd agents={agents} />
      )}
    </div>
  )
}
