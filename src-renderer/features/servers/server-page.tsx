import { Play, RotateCw, Square } from 'lucide-react'
import type { JSX, ReactNode } from 'react'
import { useLocation } from 'wouter'

import type { ServerView } from '../../../src-shared/domain/app-state'
import { serverActions } from '../../server-parts/server-actions'
import { ServerMenu } from '../../server-parts/server-menu'
import { tickOf } from '../../server-parts/tick'
import { useServer } from '../../stores/app-store'
import { useNow } from '../../stores/now'
import { BlankState } from '../../ui/blank-state'
import { Button, ButtonLink } from '../../ui/button'
import { formatAge } from '../../ui/elapsed'
import { Page } from '../../ui/page'
import { StatusBadge } from '../../ui/status-badge'
import { stopWord } from '../../ui/status-words'
import { Tabs } from '../../ui/tabs'
import { Tile } from '../../ui/tile'
import { PhaseTimeline } from './phase-timeline'
import type { ServerTab } from './server-tab'
import { StatusSentence } from './status-sentence'
import { UnappliedLine } from './unapplied-line'
import { UpdateBanner } from './update-banner'

const CRUMBS = [{ label: 'Servers', href: '/servers' }]

function RunButtons({ server }: { readonly server: ServerView }): JSX.Element | null {
  const { installationId, status } = server
  const stop = stopWord(status)
  switch (status.kind) {
    case 'stopped':
      return (
        <Button
          variant="primary"
          icon={Play}
          onClick={() => void serverActions.start(installationId)}
        >
          Start
        </Button>
      )
    case 'ready':
    case 'degraded':
      return (
        <>
          <Button icon={RotateCw} onClick={() => void serverActions.restart(installationId)}>
            Restart
          </Button>
          <Button icon={Square} onClick={() => void serverActions.stop(installationId)}>
            {stop}
          </Button>
        </>
      )
    case 'error':
      // The sentence below the bar holds the one step that helps.
      return stop === null ? null : (
        <Button icon={Square} onClick={() => void serverActions.stop(installationId)}>
          {stop}
        </Button>
      )
    case 'starting':
    case 'stopping':
      return null
  }
}

function Meta({ server, now }: { readonly server: ServerView; readonly now: number }): JSX.Element {
  const { status, statusSince, pid, protocolVersion } = server
  const works = status.kind === 'ready' || status.kind === 'degraded'
  return (
    <div className="server-head">
      <p className="meta">
        <span className="cut">
          {server.identifier} <b>{server.packageVersion}</b>
        </span>
        {works && (
          <span>
            up <b>{formatAge(now - statusSince)}</b>
          </span>
        )}
        {pid !== undefined && (
          <span>
            pid <b>{pid}</b>
          </span>
        )}
        {protocolVersion !== undefined && (
          <span>
            protocol <b>{protocolVersion}</b>
          </span>
        )}
        {!server.enabled && <span>disabled</span>}
      </p>
    </div>
  )
}

function tabsOf({
  status,
  counts,
}: ServerView): { id: ServerTab; label: string; count?: number }[] {
  const works = status.kind === 'ready' || status.kind === 'degraded'
  const known = (count: number): { count?: number } => (works ? { count } : {})
  return [
    { id: 'overview', label: 'Overview' },
    { id: 'tools', label: 'Tools', ...known(counts.tools) },
    { id: 'resources', label: 'Resources', ...known(counts.resources + counts.resourceTemplates) },
    { id: 'prompts', label: 'Prompts', ...known(counts.prompts) },
    { id: 'log', label: 'Log' },
  ]
}

function NoServer(): JSX.Element {
  return (
    <Page title="Server" crumbs={CRUMBS}>
      <BlankState
        art="open"
        title="This server is not here"
        message="It was removed, or the address is wrong."
        action={<ButtonLink href="/servers">All servers</ButtonLink>}
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
  const now = useNow(server ? tickOf(server) : 0)
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
      <Meta server={server} now={now} />
      <StatusSentence server={server} now={now} withTail={tab !== 'log'} />
      <UnappliedLine server={server} />
      <UpdateBanner server={server} />
      <PhaseTimeline phases={server.phases} now={now} />
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
