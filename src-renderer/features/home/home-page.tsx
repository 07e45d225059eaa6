import { type JSX, type ReactNode, useId } from 'react'

import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { RequestInput, RequestOutput } from '../../../src-shared/ipc/contract'
import { AddServer, NoServers } from '../../components/server/no-servers'
import { ServerTable } from '../../components/server/server-table'
import { settingsPath } from '../../components/settings/setting-sections'
import { untilText, waitsForUse, waitsForUser } from '../../components/status/status-messages'
import { useAppLimits } from '../../components/tool/app-limits'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { useRequest } from '../../ipc/use-request'
import { useApp, useNow, useServers } from '../../stores/app-store'
import { useToolsState } from '../../stores/tools-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Banner, Page } from '../../ui/layout/page'
import { SectionHeader } from '../../ui/layout/section'
import { StatusGlyph } from '../../ui/marks/status-glyph'
import { counted, formatCount, formatList, formatMoment } from '../../ui/text/format'
import { appsInNeed } from './attention'
import { AttentionList, useAttention } from './attention-list'
import { ConnectionOverview } from './connection-overview'
import { HomeSide } from './home-side'
import { SetupGuide, useShowsSetup } from './setup/setup-guide'

function StatusHeadline({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  const isWaiting = servers.some(({ status }) => status.kind === 'backingOff')
  const now = useNow(isWaiting ? 500 : 0)
  const tools = useToolsState()
  const starts = new Map(tools?.servers.map((one) => [one.installationId, one.starts]))
  const waiting = servers.filter((one) => waitsForUse(one, starts.get(one.installationId))).length
  const hosts = useApp(({ app }) => app?.hosts.hosts) ?? []
  const apps = appsInNeed({ hosts, limits: useAppLimits() })
  const updates = servers.filter(({ update }) => update !== undefined).length
  const counts = { needsReview: tools?.needsReview ?? 0, waiting, apps, updates }
  const { headline, proof } = homeText(servers, now, counts)
  return (
    <div>
      <h2 className="text-display">{headline}</h2>
      {proof !== '' && <p className="mt-1 text-lead text-muted tabular-nums">{`${proof}.`}</p>}
    </div>
  )
}

function Overview({ servers }: { readonly servers: readonly ServerView[] }): JSX.Element {
  const attention = useAttention()
  const named = new Set(attention.map(({ installationId }) => installationId))
  const others = servers.filter(({ installationId }) => !named.has(installationId))
  return (
    <div className="grid gap-6 *:min-w-0">
      <UpdateNotice />
      <StatusHeadline servers={servers} />
      <ConnectionOverview servers={servers} />
      <div className="home-grid grid items-start">
        <div className="flex min-w-0 flex-col gap-6">
          <AttentionList attention={attention} />
          <RecentErrors />
          {others.length > 0 && (
            <section aria-labelledby="servers-head">
              <SectionHeader
                id="servers-head"
                title={others.length < servers.length ? 'Other servers' : 'Servers'}
                count={others.length}
              />
              <ServerTable servers={others} labelledBy="servers-head" />
            </section>
          )}
        </div>
        <HomeSide />
      </div>
    </div>
  )
}

/** Home: the headline, the path of a call, what needs the user, and a table of the other servers. */
export function HomePage(): JSX.Element {
  const servers = useServers()
  if (useShowsSetup()) return <SetupGuide />
  return (
    <Page title="Home" actions={servers.length > 0 && <AddServer />}>
      {servers.length === 0 ? (
        <>
          <UpdateNotice />
          <NoServers message="Pick a server from the catalog, or import servers from your apps." />
        </>
      ) : (
        <Overview servers={servers} />
      )}
    </Page>
  )
}

function UpdateNotice(): JSX.Element | null {
  const update = useApp((state) => state.app?.appUpdate)
  const isReady = update?.kind === 'ready'
  if (!isReady && !(update?.kind === 'available' && update.command !== undefined)) return null
  return (
    <Banner
      severity="info"
      title={`Patchbay ${update.version} is ${isReady ? 'ready' : 'available'}.`}
      action={
        <ButtonLink size="small" href={settingsPath('general')}>
          Show update
        </ButtonLink>
      }
    >
      {isReady && 'Patchbay installs the update when you quit.'}
    </Banner>
  )
}

/** Past errors: those that were fixed automatically until the user dismisses them, and other errors of the last 24 hours. */
function RecentErrors(): JSX.Element {
  const now = useNow(60_000)
  const servers = useServers()
  const [recovered, reload] = useRecentEvents('history.recoveries')
  const [failures] = useRecentEvents('history.failures')
  const serverOf = (id: string): ServerView | undefined =>
    servers.find(({ installationId }) => installationId === id)
  const dismiss = (): void => {
    void call('history.markLooked', {}).catch(showFailure).finally(reload)
  }
  const recoveries = recovered.flatMap(({ installationId, eventId, at, message }) => {
    const server = serverOf(installationId)
    const moment = `Ready again ${formatMoment(at, now)}.`
    // A server that is down again appears in the attention list or is retried.
    if (!server || !isWorking(server.status)) return []
    return [{ eventId, server, message, label: 'Ready again', moment }]
  })
  const errors = failures.flatMap(({ installationId, eventId, at, fact }) => {
    const server = serverOf(installationId)
    const kind = server?.status.kind
    const isRecovered = recovered.some(
      (one) => one.installationId === installationId && at >= one.failedAt && at <= one.at,
    )
    // Servers in the attention list are not shown twice.
    if (!server || (kind !== 'ready' && kind !== 'stopped')) return []
    if (isRecovered || fact.kind !== 'failed') return []
    const label = kind === 'ready' ? 'Ready again' : 'Stopped'
    return [{ eventId, server, message: fact.message, label, moment: formatMoment(at, now) }]
  })
  return (
    <>
      <RecentEventList title="Recently recovered" rows={recoveries}>
        <Button size="small" variant="quiet" onClick={dismiss}>
          Dismiss
        </Button>
      </RecentEventList>
      <RecentEventList title="Recent errors" rows={errors} />
    </>
  )
}

function part(count: number, singular: string, plural = singular): string[] {
  return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? singular : plural}`]
}

function retryText(servers: readonly Pick<ServerView, 'status'>[], now: number): string[] {
  const moments = servers.flatMap(({ status }) =>
    status.kind === 'backingOff' ? [status.until] : [],
  )
  const when = untilText(Math.min(...moments), now)
  return part(moments.length, `retrying ${when}`, `retrying, the first ${when}`)
}

/** Counts that the statuses of servers don't show. */
type ExtraCounts = {
  /** Tools that wait for approval. */
  readonly needsReview: number
  /** Stopped servers that start on demand. */
  readonly waiting: number
  /** App connections that need attention. */
  readonly apps?: number
  /** Servers with a newer version. */
  readonly updates?: number
}

/** Returns the headline of Home and the line below it for the current servers; `now` is epoch ms. */
export function homeText(
  servers: readonly Pick<ServerView, 'status'>[],
  now: number,
  { needsReview, waiting, apps = 0, updates = 0 }: ExtraCounts = { needsReview: 0, waiting: 0 },
): {
  readonly headline: string
  readonly proof: string
} {
  const count = (kind: ServerView['status']['kind']): number =>
    servers.filter(({ status }) => status.kind === kind).length
  const proof = [
    ...part(count('ready'), 'ready'),
    ...part(count('starting'), 'starting'),
    ...retryText(servers, now),
    ...part(count('stopping'), 'stopping'),
    ...part(waiting, 'starts on first use', 'start on first use'),
    ...part(count('stopped') - waiting, 'stopped'),
    ...part(updates, 'update available', 'updates available'),
  ].join(', ')
  const attention = attentionText(servers.filter(waitsForUser).length, apps, needsReview)
  // The headline is sufficient for a single server, or if all servers are ready.
  const isAlone = servers.length === 1 && count('ready') + count('starting') + waiting === 1
  const isSufficient = updates === 0 && (isAlone || count('ready') === servers.length)
  return {
    headline: attention ?? headlineOf(servers.length, waiting, count),
    proof: attention === undefined && isSufficient ? '' : proof,
  }
}

/** Returns what needs the user: "2 servers and 1 app need attention"; undefined if nothing does. */
function attentionText(servers: number, apps: number, tools: number): string | undefined {
  const total = servers + apps + tools
  if (total === 0) return undefined
  if (total === tools) return `${counted(tools, 'tool needs', 'tools need')} your approval`
  const parts = [...part(servers, 'server', 'servers'), ...part(apps, 'app', 'apps')]
  const subject = formatList([...parts, ...part(tools, 'tool', 'tools')])
  return `${subject} ${total === 1 ? 'needs' : 'need'} attention`
}

function headlineOf(
  all: number,
  onFirstUse: number,
  count: (kind: ServerView['status']['kind']) => number,
): string {
  if (all === 0) return 'No servers yet'
  const [retrying, starting, ready] = [count('backingOff'), count('starting'), count('ready')]
  if (retrying > 0) return `${counted(retrying, 'server is', 'servers are')} retrying`
  if (starting > 0) return `${counted(starting, 'server is', 'servers are')} starting`
  if (ready === all) return all === 1 ? 'Your server is ready' : 'All servers are ready'
  if (onFirstUse === all)
    return all === 1 ? 'Your server starts on first use' : 'All servers start on first use'
  return ready === 0
    ? 'All servers are stopped'
    : `${formatCount(ready)} of ${counted(all, 'server')} ready`
}

/**
 * Returns past events and a function that reloads them; they also reload when a server's state changes. Empty on errors, because the
 * attention list is shown regardless.
 */
function useRecentEvents<C extends 'history.failures' | 'history.recoveries'>(
  channel: C,
): readonly [past: RequestOutput<C>, reload: () => void] {
  const states = useServers()
    .map(
      ({ installationId, status, statusSince }) =>
        `${installationId} ${status.kind} ${statusSince}`,
    )
    .join()
  const { value, problem, retry } = useRequest(channel, {} as RequestInput<C>, { state: [states] })
  const isShown = value !== undefined && problem === undefined
  return [isShown ? value : ([] as unknown as RequestOutput<C>), retry]
}

type RecentEvents = {
  readonly eventId: number
  readonly server: ServerView
  /** The current status, for screen readers. */
  readonly label: string
  readonly message: string
  readonly moment: string
}

function RecentEventList(props: {
  readonly title: string
  readonly rows: readonly RecentEvents[]
  readonly children?: ReactNode
}): JSX.Element | null {
  const { title, rows, children } = props
  const id = useId()
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <SectionHeader id={id} title={title} count={rows.length}>
        {children}
      </SectionHeader>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {rows.map(({ eventId, server: { installationId, name, status }, label, ...event }) => (
          <li key={`${installationId} ${eventId}`} className="flex items-center gap-3 px-3 py-2">
            <StatusGlyph status={status.kind} label={label} />
            <div className="min-w-0 flex-1">
              <p className="line-clamp-3 text-pretty wrap-anywhere text-muted">
                <b className="font-medium text-foreground">{name}</b>: {event.message}{' '}
                <span className="text-faint tabular-nums">{event.moment}</span>
              </p>
            </div>
            <ButtonLink
              size="small"
              href={`/servers/${installationId}/log`}
              aria-label={`View log, ${name}`}
            >
              View log
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
