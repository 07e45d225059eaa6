import type { ComponentType, JSX } from 'react'
import { useMemo } from 'react'
import { Redirect, useSearch } from 'wouter'

import { type OfferRef, parseOfferId } from '../src-shared/domain/server-json/offer'
import { isToolRunKind } from './components/tool/tool-paths'
import { decodeParam } from './frame/hash-route'
import { type LazyComponent, lazyScreen, lazyTab } from './ui/layout/lazy-screen'

type Params = Readonly<Record<string, string | undefined>>
type Props<P> = P & { readonly key?: string }

/** A screen whose code is loaded when its address is opened, or while the app is idle. */
type ScreenRoute = Pick<LazyComponent, 'load'> & {
  readonly path: string
  readonly Screen: (props: { readonly params: Params }) => JSX.Element
}

/** `propsOf` derives the props of the screen from the parameters of its address; undefined redirects to the list of servers. */
function route<P extends object>(
  path: string,
  title: string,
  fetch: () => Promise<ComponentType<P>>,
  propsOf: (params: Params, search: URLSearchParams) => Props<P> | undefined,
): ScreenRoute {
  const Lazy = lazyScreen<P>(title, fetch)
  function Screen({ params }: { readonly params: Params }): JSX.Element {
    const search = useSearch()
    const text = JSON.stringify(params)
    const props = useMemo(() => {
      const parts = Object.entries(JSON.parse(text) as Params).map(
        ([name, part]) => [name, part === undefined ? part : decodeParam(part)] as const,
      )
      return propsOf(Object.fromEntries(parts), new URLSearchParams(search))
    }, [text, search])
    if (!props) return <Redirect to="/servers" replace />
    const { key, ...rest } = props
    return <Lazy key={key} {...(rest as unknown as P)} />
  }
  return { path, load: Lazy.load, Screen }
}

/** Default for an address without an offer. */
const FIRST_PACKAGE: OfferRef = { kind: 'package', index: 0 }

function entryOf({ entryId = '', offer = '' }: Params): { entryId: string; offer: OfferRef } {
  return { entryId, offer: parseOfferId(offer) ?? FIRST_PACKAGE }
}

const bundlePage = async () => (await import('./features/bundle/bundle-page')).BundlePage
const none = (): object => ({})

/** Every screen except the initial ones, in prefetch order: the most used first. */
export const ROUTES: readonly ScreenRoute[] = [
  route(
    '/catalog',
    'Catalog',
    async () => (await import('./features/catalog/catalog-page')).CatalogPage,
    none,
  ),
  route(
    '/settings',
    'Settings',
    async () => (await import('./features/settings/settings-page')).SettingsPage,
    none,
  ),
  route(
    '/setup/:entryId/:offer',
    'Set up',
    async () => (await import('./features/install/setup-page')).SetupPage,
    (params) => ({ ...entryOf(params), key: entryOf(params).entryId }),
  ),
  route(
    '/tools',
    'Tools',
    async () => (await import('./features/tools/tools-page')).ToolsPage,
    none,
  ),
  // One route for list and app, so that the list stays unchanged next to an open app.
  route(
    '/apps/:agentId?',
    'Apps',
    async () => (await import('./features/apps/apps-page')).AppsPage,
    ({ agentId }) => ({ agentId }),
  ),
  route(
    '/activity',
    'Activity',
    async () => (await import('./features/activity/activity-page')).ActivityPage,
    none,
  ),
  route('/logs', 'Logs', async () => (await import('./features/logs/log-view')).LogsPage, none),
  route(
    '/import',
    'Import',
    async () => (await import('./features/import/import-page')).ImportPage,
    none,
  ),
  route(
    '/custom-server',
    'Add manually',
    async () => (await import('./features/install/setup-page')).CustomServerPage,
    (_, search) => ({
      likeId: search.get('like') ?? undefined,
      url: search.get('url') ?? undefined,
    }),
  ),
  route(
    '/servers/:installationId/configure',
    'Configure',
    async () => (await import('./features/install/setup-page')).ConfigurePage,
    ({ installationId = '' }, search) => ({
      key: installationId,
      installationId,
      proposed: search.getAll('value'),
      fieldKey: search.get('field') ?? undefined,
    }),
  ),
  route(
    '/servers/:installationId/update/:entryId',
    'Update',
    async () => (await import('./features/install/update-page')).UpdatePage,
    ({ installationId = '', entryId = '' }) => ({ installationId, entryId }),
  ),
  route(
    '/servers/:installationId/review',
    'Review',
    async () => (await import('./features/server-tools/review-page')).ReviewPage,
    ({ installationId = '' }) => ({ key: installationId, installationId }),
  ),
  route(
    '/servers/:installationId/report',
    'Report',
    async () => (await import('./features/vet/vet-page')).VetPage,
    ({ installationId = '' }) => ({ key: installationId, installationId }),
  ),
  route(
    '/servers/:installationId/try/:kind/:name',
    'Try it',
    async () => (await import('./features/tool-run/tool-run-page')).ToolRunPage,
    ({ installationId = '', kind = '', name = '' }) =>
      isToolRunKind(kind) ? { installationId, kind, name } : undefined,
  ),
  route(
    '/bundle',
    'Bundle',
    async () => (await import('./features/bundle/bundle-page')).OpenBundlePage,
    none,
  ),
  route('/bundle/:entryId/:offer', 'Bundle', bundlePage, entryOf),
  route('/bundle/:entryId/:offer/for/:installationId', 'Bundle', bundlePage, (params) => ({
    ...entryOf(params),
    updateOf: params.installationId,
  })),
  route(
    '/settings/remove-everything',
    'Remove everything',
    async () => (await import('./features/removal/removal-page')).RemovalPage,
    none,
  ),
]

/** The tabs of a server's page; the first one is bundled with the page. */
export const serverTabs = {
  Tools: lazyTab(
    'Loading tools',
    async () => (await import('./features/server-tools/tools-panel')).ToolsPanel,
  ),
  Log: lazyTab('Loading log', async () => (await import('./features/logs/log-view')).LogView),
  Configuration: lazyTab(
    'Loading configuration',
    async () => (await import('./features/install/preview/configuration-panel')).ConfigurationPanel,
  ),
  Metrics: lazyTab(
    'Loading metrics',
    async () => (await import('./features/metrics/metrics-panel')).MetricsPanel,
  ),
  History: lazyTab(
    'Loading history',
    async () => (await import('./features/servers/history/history-panel')).HistoryPanel,
  ),
  Prompts: lazyTab(
    'Loading prompts',
    async () => (await import('./features/server-tools/capability-panel')).PromptList,
  ),
  Resources: lazyTab(
    'Loading resources',
    async () => (await import('./features/server-tools/capability-panel')).ResourceList,
  ),
  MessageLog: lazyTab(
    'Loading messages',
    async () => (await import('./features/messages/messages-panel')).MessagesPanel,
  ),
}

/** Returns the lazily loaded screen of a path such as `/catalog`, by its first segment; undefined if it is bundled or ambiguous. */
export function lateScreenAt(path: string): ScreenRoute | undefined {
  const [, first] = path.split('/')
  return first === 'servers' ? undefined : ROUTES.find((one) => one.path.split('/')[1] === first)
}

/** In prefetch order. */
export const LATE_SCREENS = [
  ...ROUTES.slice(0, 1),
  ...Object.values(serverTabs),
  ...ROUTES.slice(1),
]
