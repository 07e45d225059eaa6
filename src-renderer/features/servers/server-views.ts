/** The tabs of a server's page, in their order. */
export const SERVER_TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'tools', label: 'Tools' },
  { id: 'resources', label: 'Resources' },
  { id: 'prompts', label: 'Prompts' },
  { id: 'logs', label: 'Logs' },
  { id: 'settings', label: 'Settings' },
] as const

export type ServerTab = (typeof SERVER_TABS)[number]['id']

/** What the Logs tab can show. */
export const LOG_VIEWS = [
  { value: 'log', label: 'Log' },
  { value: 'messages', label: 'Messages' },
  { value: 'history', label: 'History' },
] as const

export type LogView = (typeof LOG_VIEWS)[number]['value']

/** What a server's page shows, as its address names it; `metrics` is the overview at its metrics. */
export type ServerView = Exclude<ServerTab, 'logs'> | LogView | 'metrics'

/** Every name that an address may have, also those of earlier versions. */
const BY_NAME: ReadonlyMap<string, ServerView> = new Map([
  ...(['overview', 'tools', 'resources', 'prompts', 'settings', 'metrics'] as const).map(
    (view) => [view, view] as const,
  ),
  ...LOG_VIEWS.map(({ value }) => [value, value] as const),
  ['logs', 'log'],
  ['traffic', 'messages'],
  ['figures', 'metrics'],
  ['configuration', 'settings'],
])

/** The view that a part of an address names. */
export function serverViewAt(name: string): ServerView | undefined {
  return BY_NAME.get(name)
}

/** The tab that a view belongs to. */
export function tabOf(view: ServerView): ServerTab {
  if (view === 'metrics') return 'overview'
  return view === 'log' || view === 'messages' || view === 'history' ? 'logs' : view
}
