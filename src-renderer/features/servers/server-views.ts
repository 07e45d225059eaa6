/** The tabs of a server's page, in order. */
export const SERVER_TABS = [
  { id: 'overview', label: 'Overview' },
  { id: 'tools', label: 'Tools' },
  { id: 'resources', label: 'Resources' },
  { id: 'prompts', label: 'Prompts' },
  { id: 'logs', label: 'Logs' },
  { id: 'settings', label: 'Settings' },
] as const

export type ServerTab = (typeof SERVER_TABS)[number]['id']

/** The views of the Logs tab. */
export const LOG_VIEWS = [
  { value: 'log', label: 'Log' },
  { value: 'messages', label: 'Messages' },
  { value: 'history', label: 'History' },
] as const

export type LogView = (typeof LOG_VIEWS)[number]['value']

/** A view of a server's page as named in its address; `metrics` is the overview, scrolled to its metrics. */
export type ServerView = Exclude<ServerTab, 'logs'> | LogView | 'metrics'

/** Every name that an address may contain, including those of earlier versions. */
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

/** Returns the view that a part of an address names. */
export function serverViewAt(name: string): ServerView | undefined {
  return BY_NAME.get(name)
}

/** Returns the tab of a view. */
export function tabOf(view: ServerView): ServerTab {
  if (view === 'metrics') return 'overview'
  return view === 'log' || view === 'messages' || view === 'history' ? 'logs' : view
}
