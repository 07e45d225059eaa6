import type { JSX } from 'react'
import { Redirect, Route, Router, Switch, useSearch } from 'wouter'

import type { ServerView } from '../src-shared/domain/app-state'
import { type OfferRef, parseOfferId } from '../src-shared/domain/offer'
import { AppShell } from './app-shell/app-shell'
import { useHashRoute } from './app-shell/hash-route'
import { BundlePage } from './features/bundle/bundle-page'
import { OpenBundlePage } from './features/bundle/open-bundle-page'
import { PromptList } from './features/capabilities/prompt-list'
import { ResourceList } from './features/capabilities/resource-list'
import { ToolList } from './features/capabilities/tool-list'
import { CatalogPage } from './features/catalog/catalog-page'
import { HomePage } from './features/home/home-page'
import { HandPage } from './features/install/by-hand/hand-page'
import { ConfigurePage } from './features/install/configure-page'
import { SetupPage } from './features/install/setup-page'
import { UpdatePage } from './features/install/update-page'
import { LogView } from './features/logs/log-view'
import { Overview } from './features/servers/overview'
import { ServerPage } from './features/servers/server-page'
import type { ServerTab } from './features/servers/server-tab'
import { isServerTab } from './features/servers/server-tab'
import { ServersPage } from './features/servers/servers-page'
import { SettingsPage } from './features/settings/settings-page'

function TabPanel({
  tab,
  server,
}: {
  readonly tab: ServerTab
  readonly server: ServerView
}): JSX.Element {
  switch (tab) {
    case 'overview':
      return <Overview server={server} />
    case 'tools':
      return <ToolList server={server} />
    case 'resources':
      return <ResourceList server={server} />
    case 'prompts':
      return <PromptList server={server} />
    case 'log':
      return <LogView server={server} />
  }
}

/** A route parameter as it was before `encodeURIComponent`; one that is not encoded stays as it is. */
function decodeParam(param: string): string {
  try {
    return decodeURIComponent(param)
  } catch (cause) {
    if (cause instanceof URIError) return param
    throw cause
  }
}

function ConfigureRoute({ installationId }: { readonly installationId: string }): JSX.Element {
  const fieldKey = new URLSearchParams(useSearch()).get('field')
  return (
    <ConfigurePage
      key={installationId}
      installationId={installationId}
      {...(fieldKey === null ? {} : { fieldKey })}
    />
  )
}

function HandRoute(): JSX.Element {
  const likeId = new URLSearchParams(useSearch()).get('like') ?? undefined
  return <HandPage likeId={likeId} />
}

function ServerRoute({
  installationId,
  tab,
}: {
  readonly installationId: string
  readonly tab: string
}): JSX.Element {
  if (!isServerTab(tab)) return <Redirect to={`/servers/${installationId}`} replace />
  return (
    <ServerPage
      key={installationId}
      installationId={installationId}
      tab={tab}
      renderTab={(server) => <TabPanel tab={tab} server={server} />}
    />
  )
}

/** Where an address names no offer. */
const FIRST_PACKAGE: OfferRef = { kind: 'package', index: 0 }

function Routes(): JSX.Element {
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/catalog" component={CatalogPage} />
      <Route path="/setup/:entryId/:offer">
        {({ entryId, offer }) => (
          <SetupPage
            key={entryId}
            entryId={decodeParam(entryId)}
            offer={parseOfferId(offer) ?? FIRST_PACKAGE}
          />
        )}
      </Route>
      <Route path="/bundle" component={OpenBundlePage} />
      <Route path="/bundle/:entryId/:offer">
        {({ entryId, offer }) => (
          <BundlePage entryId={decodeParam(entryId)} offer={parseOfferId(offer) ?? FIRST_PACKAGE} />
        )}
      </Route>
      <Route path="/by-hand" component={HandRoute} />
      <Route path="/servers" component={ServersPage} />
      <Route path="/servers/:installationId/configure">
        {({ installationId }) => <ConfigureRoute installationId={installationId} />}
      </Route>
      <Route path="/servers/:installationId/update/:entryId">
        {({ installationId, entryId }) => (
          <UpdatePage installationId={installationId} entryId={decodeParam(entryId)} />
        )}
      </Route>
      <Route path="/servers/:installationId/:tab?">
        {({ installationId, tab = 'overview' }) => (
          <ServerRoute installationId={installationId} tab={tab} />
        )}
      </Route>
      <Route path="/settings" component={SettingsPage} />
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  )
}

/** The whole window: shell and routes. */
export function App(): JSX.Element {
  return (
    <Router hook={useHashRoute}>
      <AppShell>
        <Routes />
      </AppShell>
    </Router>
  )
}
