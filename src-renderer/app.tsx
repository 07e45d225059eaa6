import type { JSX, ReactNode } from 'react'
import { useMemo } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'

import { type OfferRef, parseOfferId } from '../src-shared/domain/server-json/offer'
import type { ServerView as Server } from '../src-shared/domain/state/app-state'
import { isToolRunKind } from './components/tool-run/tool-run-place'
import { HomePage } from './features/home/home-page'
import { RemovalScreen } from './features/removal/removal-screen'
import { useRemovalPhase } from './features/removal/removal-store'
import { ServersPage } from './features/servers/list/servers-page'
import { Overview } from './features/servers/overview/overview'
import { ServerPage } from './features/servers/server-page'
import { ServerSettings } from './features/servers/server-settings'
import { type ServerView, serverViewAt } from './features/servers/server-views'
import { AppShell } from './frame/app-shell'
import { decodeParam, useHashRoute } from './frame/hash-route'
import { PageBoundary } from './frame/page-boundary'
import { useLateScreens } from './frame/use-late-screens'
import { LATE_SCREENS, screens, serverTabs } from './screens'

/** The panel of a server's page; `lead` belongs into its bar, or above its content. */
function ViewPanel({
  view,
  server,
  lead,
}: {
  readonly view: ServerView
  readonly server: Server
  readonly lead: ReactNode
}): JSX.Element {
  switch (view) {
    case 'overview':
    case 'metrics':
      return (
        <Overview
          server={server}
          notices={lead}
          metrics={<serverTabs.Metrics server={server} isWanted={view === 'metrics'} />}
        />
      )
    case 'tools':
      return <serverTabs.Tools server={server} />
    case 'resources':
      return <serverTabs.Resources server={server} />
    case 'prompts':
      return <serverTabs.Prompts server={server} />
    case 'log':
      return <serverTabs.Log servers={[server]} lead={lead} />
    case 'messages':
      return <serverTabs.MessageLog server={server} lead={lead} />
    case 'history':
      return <serverTabs.History server={server} lead={lead} />
    case 'settings':
      return (
        <ServerSettings
          server={server}
          configuration={<serverTabs.Configuration server={server} />}
        />
      )
  }
}

function ConfigureRoute({ installationId }: { readonly installationId: string }): JSX.Element {
  const search = useSearch()
  const fieldKey = new URLSearchParams(search).get('field')
  const proposed = useMemo(() => new URLSearchParams(search).getAll('value'), [search])
  return (
    <screens.Configure
      key={installationId}
      installationId={installationId}
      proposed={proposed}
      {...(fieldKey === null ? {} : { fieldKey })}
    />
  )
}

function HandRoute(): JSX.Element {
  const search = new URLSearchParams(useSearch())
  const [likeId, url] = ['like', 'url'].map((name) => search.get(name) ?? undefined)
  return <screens.CustomServerEntry likeId={likeId} url={url} />
}

function ServerRoute({
  installationId,
  name,
}: {
  readonly installationId: string
  readonly name: string
}): JSX.Element {
  const view = serverViewAt(name)
  if (view === undefined) return <Redirect to={`/servers/${installationId}`} replace />
  return (
    <ServerPage
      key={installationId}
      installationId={installationId}
      view={view}
      renderView={(server, lead) => <ViewPanel view={view} server={server} lead={lead} />}
    />
  )
}

/** One route for list and app, so that the list stays as it is beside an open app. */
function AppsRoute({
  params: { agentId },
}: {
  readonly params: { readonly agentId?: string }
}): JSX.Element {
  return <screens.Apps agentId={agentId === undefined ? undefined : decodeParam(agentId)} />
}

/** Links from before the pages of agents and apps were one. */
function FormerAppsRoute({
  params: { agentId },
}: {
  readonly params: { readonly agentId?: string }
}): JSX.Element {
  const search = useSearch()
  const place = agentId === undefined ? '/apps' : `/apps/${agentId}`
  return <Redirect to={search === '' ? place : `${place}?${search}`} replace />
}

function ReviewRoute({
  params: { installationId },
}: {
  readonly params: { readonly installationId: string }
}): JSX.Element {
  return <screens.Review key={installationId} installationId={installationId} />
}

function ToolRunRoute({
  params: { installationId, kind, name },
}: {
  readonly params: { readonly installationId: string; readonly kind: string; readonly name: string }
}): JSX.Element {
  if (!isToolRunKind(kind)) return <Redirect to={`/servers/${installationId}`} replace />
  return <screens.ToolRun installationId={installationId} kind={kind} name={decodeParam(name)} />
}

/** Where an address names no offer. */
const FIRST_PACKAGE: OfferRef = { kind: 'package', index: 0 }

function SetupRoute({
  params: { entryId, offer },
}: {
  readonly params: { readonly entryId: string; readonly offer: string }
}): JSX.Element {
  return (
    <screens.Setup
      key={entryId}
      entryId={decodeParam(entryId)}
      offer={parseOfferId(offer) ?? FIRST_PACKAGE}
    />
  )
}

function Routes(): JSX.Element {
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/catalog" component={screens.Catalog} />
      <Route path="/setup/:entryId/:offer" component={SetupRoute} />
      <Route path="/bundle" component={screens.OpenBundle} />
      <Route path="/bundle/:entryId/:offer">
        {({ entryId, offer }) => (
          <screens.Bundle
            entryId={decodeParam(entryId)}
            offer={parseOfferId(offer) ?? FIRST_PACKAGE}
          />
        )}
      </Route>
      <Route path="/bundle/:entryId/:offer/for/:installationId">
        {({ entryId, offer, installationId }) => (
          <screens.Bundle
            entryId={decodeParam(entryId)}
            offer={parseOfferId(offer) ?? FIRST_PACKAGE}
            updateOf={installationId}
          />
        )}
      </Route>
      <Route path="/by-hand" component={HandRoute} />
      <Route path="/import" component={screens.Import} />
      <Route path="/servers" component={ServersPage} />
      <Route path="/servers/:installationId/configure">
        {({ installationId }) => <ConfigureRoute installationId={installationId} />}
      </Route>
      <Route path="/servers/:installationId/update/:entryId">
        {({ installationId, entryId }) => (
          <screens.Update installationId={installationId} entryId={decodeParam(entryId)} />
        )}
      </Route>
      <Route path="/servers/:installationId/review" component={ReviewRoute} />
      <Route path="/servers/:installationId/report">
        {({ installationId }) => (
          <screens.Vet key={installationId} installationId={installationId} />
        )}
      </Route>
      <Route path="/servers/:installationId/try/:kind/:name" component={ToolRunRoute} />
      <Route path="/servers/:installationId/:view?">
        {({ installationId, view = 'overview' }) => (
          <ServerRoute installationId={installationId} name={view} />
        )}
      </Route>
      <Route path="/tools" component={screens.Tools} />
      <Route path="/apps/:agentId?" component={AppsRoute} />
      <Route path="/agents/:agentId?" component={FormerAppsRoute} />
      <Route path="/activity" component={screens.Activity} />
      <Route path="/logs" component={screens.Logs} />
      <Route path="/settings" component={screens.Settings} />
      <Route path="/settings/remove-everything" component={screens.Removal} />
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  )
}

function Pages(): JSX.Element {
  const [place] = useLocation()
  useLateScreens(LATE_SCREENS)
  return (
    <PageBoundary place={place}>
      <Routes />
    </PageBoundary>
  )
}

/** The whole window: shell and routes. */
export function App(): JSX.Element {
  const { kind } = useRemovalPhase()
  if (kind !== 'none') return <RemovalScreen />
  return (
    <PageBoundary place="window">
      <Router hook={useHashRoute}>
        <AppShell>
          <Pages />
        </AppShell>
      </Router>
    </PageBoundary>
  )
}
