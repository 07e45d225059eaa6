import type { JSX, ReactNode } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'

import type { ServerView as Server } from '../src-shared/domain/state/app-state'
import { HomePage } from './features/home/home-page'
import { RemovalScreen } from './features/removal/removal-screen'
import { useRemovalPhase } from './features/removal/removal-store'
import { ServersPage } from './features/servers/list/servers-page'
import { Overview } from './features/servers/overview/overview'
import { ServerPage } from './features/servers/server-page'
import { ServerSettings } from './features/servers/server-settings'
import { type ServerView, serverViewAt } from './features/servers/server-views'
import { AppShell } from './frame/app-shell'
import { useHashRoute } from './frame/hash-route'
import { PageBoundary, useLateScreens } from './frame/page-boundary'
import { LATE_SCREENS, ROUTES, serverTabs } from './routes'

/** The panel of a server's page; `lead` goes into its bar, or above its content. */
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

/** Redirects links from before the pages of agents and apps were merged. */
function FormerAppsRoute({
  params: { agentId },
}: {
  readonly params: { readonly agentId?: string }
}): JSX.Element {
  const search = useSearch()
  const place = agentId === undefined ? '/apps' : `/apps/${agentId}`
  return <Redirect to={search === '' ? place : `${place}?${search}`} replace />
}

function Routes(): JSX.Element {
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/servers" component={ServersPage} />
      {ROUTES.map(({ path, Screen }) => (
        <Route key={path} path={path}>
          {(params) => <Screen params={params} />}
        </Route>
      ))}
      <Route path="/servers/:installationId/:view?">
        {({ installationId, view = 'overview' }) => (
          <ServerRoute installationId={installationId} name={view} />
        )}
      </Route>
      <Route path="/agents/:agentId?" component={FormerAppsRoute} />
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
