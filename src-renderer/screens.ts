import { firstPart, screenCode } from './screen-code'
import { type LazyScreen, lazyScreen, lazyTab } from './ui/layout/lazy-screen'

/** Every screen and tab but the first ones: their code comes when they are opened, or while nothing else is done. */
export const screens = {
  Activity: lazyScreen('Activity', async () => {
    const { ActivityPage } = await screenCode.activity()
    return ActivityPage
  }),
  Apps: lazyScreen('Apps', async () => {
    const { AppsPage } = await screenCode.apps()
    return AppsPage
  }),
  Bundle: lazyScreen('Bundle', async () => {
    const { BundlePage } = await import('./features/bundle/bundle-page')
    return BundlePage
  }),
  CustomServerEntry: lazyScreen('Add manually', async () => {
    const { CustomServerPage } = await screenCode['by-hand']()
    return CustomServerPage
  }),
  Catalog: lazyScreen('Catalog', async () => {
    const { CatalogPage } = await screenCode.catalog()
    return CatalogPage
  }),
  Configure: lazyScreen('Configure', async () => {
    const { ConfigurePage } = await import('./features/install/configure-page')
    return ConfigurePage
  }),
  Import: lazyScreen('Import', async () => {
    const { ImportPage } = await screenCode.import()
    return ImportPage
  }),
  Logs: lazyScreen('Logs', async () => {
    const { LogsPage } = await screenCode.logs()
    return LogsPage
  }),
  OpenBundle: lazyScreen('Bundle', async () => {
    const { OpenBundlePage } = await import('./features/bundle/open-bundle-page')
    return OpenBundlePage
  }),
  Removal: lazyScreen('Remove everything', async () => {
    const { RemovalPage } = await import('./features/removal/removal-page')
    return RemovalPage
  }),
  Review: lazyScreen('Review', async () => {
    const { ReviewPage } = await import('./features/server-tools/review-page')
    return ReviewPage
  }),
  Settings: lazyScreen('Settings', async () => {
    const { SettingsPage } = await screenCode.settings()
    return SettingsPage
  }),
  Setup: lazyScreen('Set up', async () => {
    const { SetupPage } = await screenCode.setup()
    return SetupPage
  }),
  Tools: lazyScreen('Tools', async () => {
    const { ToolsPage } = await screenCode.tools()
    return ToolsPage
  }),
  ToolRun: lazyScreen('Try it', async () => {
    const { ToolRunPage } = await import('./features/tool-run/tool-run-page')
    return ToolRunPage
  }),
  Update: lazyScreen('Update', async () => {
    const { UpdatePage } = await import('./features/install/update-page')
    return UpdatePage
  }),
}

/** The tabs of a server's page; the first one comes with the page. */
export const serverTabs = {
  Configuration: lazyTab('Loading configuration', async () => {
    const { ConfigurationPanel } = await import('./features/install/preview/configuration-panel')
    return ConfigurationPanel
  }),
  Metrics: lazyTab('Loading metrics', async () => {
    const { MetricsPanel } = await import('./features/metrics/metrics-panel')
    return MetricsPanel
  }),
  History: lazyTab('Loading history', async () => {
    const { HistoryPanel } = await import('./features/servers/history/history-panel')
    return HistoryPanel
  }),
  Log: lazyTab('Loading log', async () => {
    const { LogView } = await import('./features/logs/log-view')
    return LogView
  }),
  Prompts: lazyTab('Loading prompts', async () => {
    const { PromptList } = await import('./features/server-tools/prompt-list')
    return PromptList
  }),
  Resources: lazyTab('Loading resources', async () => {
    const { ResourceList } = await import('./features/server-tools/resource-list')
    return ResourceList
  }),
  Tools: lazyTab('Loading tools', async () => {
    const { ToolList } = await import('./features/server-tools/tool-list')
    return ToolList
  }),
  MessageLog: lazyTab('Loading messages', async () => {
    const { MessagesPanel } = await import('./features/messages/messages-panel')
    return MessagesPanel
  }),
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
