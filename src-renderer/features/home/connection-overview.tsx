import clsx from 'clsx'
import { PlugZap } from 'lucide-react'
import type { JSX, ReactNode } from 'react'
import { Link } from 'wouter'

import type { GatewayStatus } from '../../../src-shared/domain/agents/agent'
import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useApp } from '../../stores/app-store'
import { useToolsState } from '../../stores/tools-store'
import { counted, formatCount } from '../../ui/text/format'

const STROKE = {
  fill: 'none',
  strokeWidth: 2,
  strokeLinecap: 'round',
} as const

/** Keeps the line width constant at any cable length. */
const STEADY = { vectorEffect: 'non-scaling-stroke' } as const

/** A cable between two parts; solid if calls can pass. */
function Cable({ isLive }: { readonly isLive: boolean }): JSX.Element {
  return (
    <svg
      className="cable hide-small w-full"
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

/** Servers and apps found on this computer that Patchbay doesn't manage yet. */
export type FoundImports = { readonly servers: number; readonly apps: number }

function End(props: { readonly title: string; readonly children: ReactNode }): JSX.Element {
  const { title, children } = props
  return (
    <p className="leading-tight whitespace-nowrap text-faint tabular-nums">
      <b className="block text-foreground">{title}</b>
      <span className="text-small">{children}</span>
    </p>
  )
}

function foundText(count: number): string {
  return count === 0 ? 'None yet' : `${formatCount(count)} found`
}

const GATE: Readonly<Record<GatewayStatus['kind'], string>> = {
  off: 'closed',
  opening: 'opening',
  open: '',
  failed: 'failed',
}

/** The path of a call in one line: servers, Patchbay's gateway, apps. */
export function ConnectionOverview(props: {
  readonly servers: readonly ServerView[]
  readonly found?: FoundImports
}): JSX.Element | null {
  const { servers, found } = props
  const state = useApp(({ app }) => app?.agents)
  const exposed = useToolsState()?.exposed ?? 0
  if (!state) return null
  const { gateway, agents } = state
  const ready = servers.filter(({ status: { kind } }) => kind === 'ready').length
  const works = servers.some(({ status }) => isWorking(status))
  const connected = agents.filter(({ connections }) => connections > 0).length
  const isOpen = gateway.kind === 'open'
  return (
    <div
      className="bay grid items-center gap-y-2 rounded-lg border border-line bg-subtle px-5 py-3"
      role="group"
      aria-label="Connection overview"
    >
      {found && servers.length === 0 ? (
        <End title="Your servers">{foundText(found.servers)}</End>
      ) : (
        <End title={counted(servers.length, 'server')}>{`${formatCount(ready)} ready`}</End>
      )}
      <Cable isLive={works && isOpen} />
      <div
        className={clsx(
          'bay-gate flex items-center gap-2 bg-surface',
          gateway.kind === 'failed' && 'is-error',
        )}
      >
        <PlugZap className="icon text-muted" aria-hidden />
        <End title={found ? 'Patchbay' : 'Gateway'}>
          {found ? counted(exposed, 'tool') : GATE[gateway.kind] || counted(exposed, 'tool')}
        </End>
      </div>
      <Cable isLive={isOpen && agents.length > 0} />
      {agents.length > 0 ? (
        <End title={counted(agents.length, 'app')}>{`${formatCount(connected)} connected`}</End>
      ) : found ? (
        <End title="Your apps">{foundText(found.apps)}</End>
      ) : (
        <End title="No apps">
          <Link href="/apps">Connect an app</Link>
        </End>
      )}
    </div>
  )
}
