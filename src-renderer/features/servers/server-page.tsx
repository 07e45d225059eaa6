import type { JSX, ReactNode } from 'react'
import { useLocation } from 'wouter'

import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { ServerMenu } from '../../components/server/server-menu'
import { tickOf } from '../../components/server/tick'
import { useServer } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { ButtonLink } from '../../ui/controls/button'
import { Tabs } from '../../ui/controls/tabs'
import { BlankState } from '../../ui/layout/blank-state'
import { Page } from '../../ui/layout/page'
import { StatusBadge } from '../../ui/marks/status-badge'
import { Tile } from '../../ui/marks/tile'
import { counted, formatAge, formatCount } from '../../ui/text/format'
import { workingSince } from '../../ui/text/status-messages'
import { PhaseTimeline } from './phase-timeline'
import { ReconnectLine } from './reconnect-line'
import { RegistryStatusNotice } from './registry-status-notice'
import { RunButtons } from './run-buttons'
import type { ServerTab } from './server-tab'
import { SignInLine } from './sign-in-line'
import { StatusSentence } from './status-sentence'
import { ToolsBanner } from './tools-banner'
import { UnappliedLine } from './unapplied-line'
import { UpdateBanner } from './update-banner'

const CRUMBS = [{ label: 'Servers', href: '/servers' }]

function Uptime({ server }: { readonly server: ServerView }): JSX.Element {
  const now = useNow(tickOf(server))
  return <b>{formatAge(now - workingSince(server))}</b>
}

function Meta({ server }: { readonly server: ServerView }): JSX.Element {
  const { status, pid, instances, protocolVersion, restarts } = server
  const works = isWorking(status)
  return (
    <div className="pad-line fixed">
      <p className="flex wrap gap-4 rows-0 soft small num nowrap">
        <span className="cut">
          {server.identifier} <b>{server.packageVersion}</b>
        </span>
        {works && (
          <span>
            up <Uptime key={workingSince(server)} server={server} />
          </span>
        )}
        {pid !== undefined && (
          <span>
            pid <b>{pid}</b>
          </span>
        )}
        {instances.length > 0 && (
          <span>{counted(instances.length, 'process', 'processes')} of apps</span>
        )}
        {protocolVersion !== undefined && (
          <span>
            protocol <b>{protocolVersion}</b>
          </span>
        )}
        {restarts > 0 && (
          <span>
            automatic restarts <b>{formatCount(restarts)}×</b>
          </span>
        )}
        {!server.enabled && <span>turned off</span>}
      </p>
    </div>
  )
}

function tabsOf({
  status,
  counts,
}: ServerView): { id: ServerTab; label: string; count?: number }[] {
  const works = isWorking(status)
  // What was listed last is known while nothing serves.
  const known = (count: number): { count?: number } => (works || count > 0 ? { count } : {})
  return [
    { id: 'overview', label: 'Overview' },
    { id: 'tools', label: 'Tools', ...known(counts.tools) },
    { id: 'resources', label: 'Resources', ...known(counts.resources + counts.resourceTemplates) },
    { id: 'prompts', label: 'Prompts', ...known(counts.prompts) },
    { id: 'log', label: 'Log' },
    { id: 'traffic', label: 'Messages' },
    { id: 'figures', label: 'Metrics' },
    { id: 'configuration', label: 'Configuration' },
    { id: 'history', label: 'History' },
  ]
}

function NoServer(): JSX.Element {
  return (
    <Page title="Server" crumbs={CRUMBS}>
      <BlankState
        art="open"
        title="Server not found"
        message="This server was removed, or the address is wrong."
        action={<ButtonLink href="/servers">Show all servers</ButtonLink>}
      />
    </Page>
  )
}

/** One server: how it is, how its newest start went, what it offers, and its log. */
export function ServerPage({
  installationId,
  tab,
  renderTab,
}: {
  readonly installationId: string
  readonly tab: ServerTab
  /** The panel of the chosen tab; other features fill it. */
  readonly renderTab: (server: ServerView) => ReactNode
}): JSX.Element {
  const [, navigate] = useLocation()
  const server = useServer(installationId)
  if (!server) return <NoServer />
  const place = `/servers/${installationId}`
  return (
    <Page
      title={server.name}
      crumbs={CRUMBS}
      lead={<Tile name={server.name} />}
      meta={<StatusBadge status={server.status.kind} />}
      layout="columns"
      actions={
        <>
          <RunButtons server={server} />
          <ServerMenu
            server={server}
            label="More actions"
            onRemoved={() => navigate('/servers', { replace: true })}
          />
        </>
      }
    >
      <Meta server={server} />
      <StatusSentence server={server} withTail={tab !== 'log'} />
      <SignInLine server={server} />
      <ReconnectLine server={server} />
      <UnappliedLine server={server} />
      <RegistryStatusNotice server={server} />
      <ToolsBanner server={server} />
      <UpdateBanner server={server} />
      <PhaseTimeline phases={server.phases} />
      <Tabs
        label={server.name}
        value={tab}
        tabs={tabsOf(server)}
        onChange={(next) =>
          navigate(next === 'overview' ? place : `${place}/${next}`, { replace: true })
        }
      >
        {renderTab(server)}
      </Tabs>
    </Page>
  )
}
