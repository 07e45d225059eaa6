import { firstPart, screenCode } from './screen-code'
import { type LazyScreen, lazyScreen, lazyTab } from './ui/layout/lazy-screen'

/** Every screen and tab but the first ones: their code comes when they are opened, or while nothing else is done. */
export const screens = {
  Activity: lazyScreen('Activity', async () => (await screenCode.activity()).ActivityPage),
  Apps: lazyScreen('Apps', async () => (await screenCode.apps()).AppsPage),
  Bundle: lazyScreen(
    'Bundle',
    async () => (await import('./features/bundle/bundle-page')).BundlePage,
  ),
  CustomServerEntry: lazyScreen(
    'Add manually',
    async () => (await screenCode['by-hand']()).CustomServerPage,
  ),
  Catalog: lazyScreen('Catalog', async () => (await screenCode.catalog()).CatalogPage),
  Configure: lazyScreen(
    'Configure',
    async () => (await import('./features/install/configure-page')).ConfigurePage,
  ),
  Import: lazyScreen('Import', async () => (await screenCode.import()).ImportPage),
  Logs: lazyScreen('Logs', async () => (await screenCode.logs()).LogsPage),
  OpenBundle: lazyScreen(
    'Bundle',
    async () => (await import('./features/bundle/open-bundle-page')).OpenBundlePage,
  ),
  Removal: lazyScreen(
    'Remove everything',
    async () => (await import('./features/removal/removal-page')).RemovalPage,
  ),
  Review: lazyScreen(
    'Review',
    async () => (await import('./features/server-tools/review-page')).ReviewPage,
  ),
  Settings: lazyScreen('Settings', async () => (await screenCode.settings()).SettingsPage),
  Setup: lazyScreen('Set up', async () => (await screenCode.setup()).SetupPage),
  Tools: lazyScreen('Tools', async () => (await screenCode.tools()).ToolsPage),
  ToolRun: lazyScreen(
    'Try it',
    async () => (await import('./features/tool-run/tool-run-page')).ToolRunPage,
  ),
  Update: lazyScreen(
    'Update',
    async () => (await import('./features/install/update-page')).UpdatePage,
  ),
}

/** The tabs of a server's page; the first one comes with the page. */
export const serverTabs = {
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
  Log: lazyTab('Loading log', async () => (await import('./features/logs/log-view')).LogView),
  Prompts: lazyTab(
    'Loading prompts',
    async () => (await import('./features/server-tools/prompt-list')).PromptList,
  ),
  Resources: lazyTab(
    'Loading resources',
    async () => (await import('./features/server-tools/resource-list')).ResourceList,
  ),
  Tools: lazyTab(
    'Loading tools',
    async () => (await import('./features/server-tools/tool-list')).ToolList,
  ),
  MessageLog: lazyTab(
    'Loading messages',
    async () => (await import('./features/messages/messages-panel')).MessagesPanel,
  ),
}

type LateScreen = Pick<LazyScreen<never>, 'load'>

const BY_PATH: Readonly<Record<keyof typeof screenCode, LateScreen>> = {
  activity: screens.Activity,
  apps: screens.Apps,
  'by-hand': screens.CustomServerEntry,
  catalog: screens.Catalog,
  import: screens.Import,
  logs: screens.Logs,
  settings: screens.Settings,
  setup: screens.Setup,
  tools: screens.Tools,
}

/** The screen that a path such as `/catalog` opens, by its first part; undefined where its code is here or only the rest tells. */
export function lateScreenAt(path: string): LateScreen | undefined {
  const first = firstPart(path)
  return first && BY_PATH[first]
}

/** In the order in which they are fetched: what is opened most comes first. */
export const LATE_SCREENS: readonly LateScreen[] = [
  screens.Catalog,
  serverTabs.Tools,
  serverTabs.Log,
  screens.Settings,
  screens.Setup,
  screens.Tools,
  screens.Apps,
  ...Object.values(serverTabs),
  ...Object.values(screens),
]
