import {
  AppWindow,
  Contrast,
  FileCog,
  FolderInput,
  Keyboard,
  Library,
  ListChecks,
  type LucideIcon,
  Monitor,
  Moon,
  Package,
  PenLine,
  Play,
  RefreshCw,
  Rows3,
  ScrollText,
  Settings as SettingsIcon,
  Square,
  Sun,
} from 'lucide-react'

import { isActive, isWanted } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { serverActions } from '../../components/server/actions'
import { SETTING_SECTIONS, settingsPath } from '../../components/settings/setting-sections'
import { SETTINGS } from '../../components/settings/settings-table'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { appStore } from '../../stores/app-store'
import { showOverlay } from '../../stores/palette-store'
import { capsFor, PLACE_IDS, PLACES } from '../../ui/marks/shortcuts'
import { counted } from '../../ui/text/format'
import type { Command } from './find-commands'

/** What commands need to run. */
export type CommandContext = {
  readonly navigate: (to: string) => void
  readonly isMac: boolean
  readonly onRemove: (server: ServerView) => void
}

const KEYWORDS: Partial<Record<keyof typeof PLACES, string>> = {
  apps: 'apps agents clients',
  // A search for this word ranks the page above its parts.
  settings: 'settings preferences options',
}

const ENTRY_PAGES = [
  { id: 'add', title: 'Add server from catalog', to: '/catalog', icon: Library, keywords: 'new' },
  {
    id: 'logs',
    title: 'Logs of all servers',
    to: '/logs',
    icon: ScrollText,
    keywords: 'stderr lines merged',
  },
  {
    id: 'agent',
    title: 'Connect app',
    to: '/apps?add',
    icon: AppWindow,
    keywords: 'new key add agent client',
    where: 'Apps',
  },
  {
    id: 'custom-server',
    title: 'Add server manually',
    to: '/custom-server',
    icon: PenLine,
    keywords: 'new own',
  },
  {
    id: 'import',
    title: 'Import servers from apps',
    to: '/import',
    icon: FolderInput,
    keywords: 'claude cursor code',
  },
  { id: 'bundle', title: 'Open bundle', to: '/bundle', icon: Package, keywords: 'mcpb file' },
  {
    id: 'remove everything',
    title: 'Remove everything…',
    to: '/settings/remove-everything',
    icon: FileCog,
    keywords: 'uninstall delete',
    where: 'Settings',
  },
] as const

const APPEARANCE_ICONS: Readonly<Record<string, LucideIcon>> = {
  system: Monitor,
  light: Sun,
  dark: Moon,
  comfortable: Rows3,
  compact: Rows3,
}

function save(change: Partial<Settings>): void {
  call('settings.update', change).catch(showFailure)
}

function settingCommands({ navigate }: CommandContext): readonly Command[] {
  const isDesktop = appStore.getState().app?.info.wayIn === 'desktop'
  const settings = SETTINGS.filter((one) => isDesktop || one.isDesktop !== true)
  const entries = [
    { id: 'diagnostics', title: 'Copy diagnostics' },
    ...SETTING_SECTIONS.map(({ id, title }) => ({ id, title: `Settings: ${title}` })),
    ...settings.map(({ key, label }) => ({ id: key, title: `Settings: ${label}` })),
  ]
  return entries.map(({ id, title }): Command => ({
    ...{ id: `settings ${id}`, group: 'Actions', title, where: '' },
    ...{ icon: SettingsIcon, run: () => navigate(settingsPath(id)) },
  }))
}

function pageCommands({ navigate, isMac }: CommandContext): readonly Command[] {
  const pages = PLACE_IDS.map((id): Command => {
    const { title, to, icon } = PLACES[id]
    const keywords = KEYWORDS[id]
    return {
      ...{ id, group: 'Actions', title: `Go to ${title}`, where: '', icon },
      ...{ keys: capsFor(id, isMac), run: () => navigate(to), ...(keywords && { keywords }) },
    }
  })
  const entryPages = ENTRY_PAGES.map(({ to, ...page }): Command => {
    const run = (): void => navigate(to)
    return { group: 'Actions', where: 'Servers', ...page, run }
  })
  return [...pages, ...entryPages]
}

/** Returns the commands for the appearance: every choice except the current one. */
function appearanceCommands(settings: Settings): readonly Command[] {
  const appearanceSettings = SETTINGS.filter(({ section }) => section === 'general')
  return appearanceSettings.flatMap((of) => {
    if (of.kind !== 'choice') return []
    const others = of.options.filter(({ value }) => value !== settings[of.key])
    return others.map(({ value, label }): Command => ({
      ...{ id: `${of.key} ${value}`, group: 'Actions', where: 'Settings' },
      title: `${of.label}: ${label.toLowerCase()}`,
      keywords: 'appearance mode colors',
      icon: APPEARANCE_ICONS[value] ?? Contrast,
      run: () => save({ [of.key]: value }),
    }))
  })
}

function forAll(servers: readonly ServerView[], act: (id: string) => Promise<boolean>): () => void {
  return () => {
    for (const { installationId } of servers) void act(installationId)
  }
}

/** Returns the commands for all servers together, without those that would change nothing. */
function allCommands(servers: readonly ServerView[]): readonly Command[] {
  const running = servers.filter(({ status }) => isWanted(status))
  const stopped = servers.filter(({ status, enabled }) => enabled && !isActive(status))
  const count = (list: readonly ServerView[]): string => counted(list.length, 'server')
  const common = { group: 'Actions', keywords: 'every everything' } as const
  const start: Command = {
    ...{ ...common, id: 'start all', title: 'Start all servers', where: count(stopped) },
    ...{ icon: Play, run: forAll(stopped, serverActions.start) },
  }
  const stop: Command = {
    ...{ ...common, id: 'stop all', title: 'Stop all servers', where: count(running) },
    ...{ icon: Square, run: forAll(running, serverActions.stop) },
  }
  return [...(stopped.length > 0 ? [start] : []), ...(running.length > 0 ? [stop] : [])]
}

/** Returns the commands that belong to no single server. */
export function globalCommands(
  context: CommandContext,
  { servers, settings }: { readonly servers: readonly ServerView[]; readonly settings: Settings },
): readonly Command[] {
  const { isMac, navigate } = context
  const others: readonly Command[] = [
    {
      ...{ id: 'sync', group: 'Actions', title: 'Sync catalog', where: 'Catalog' },
      ...{ keywords: 'sync refresh registry', icon: RefreshCw },
      run: () => {
        call('catalog.sync', {}).catch(showFailure)
        navigate('/catalog')
      },
    },
    {
      ...{ id: 'shortcuts', group: 'Actions', title: 'Show keyboard shortcuts', where: 'Help' },
      ...{ keywords: 'keyboard keys cheat sheet', icon: Keyboard },
      keys: capsFor('shortcuts', isMac),
      run: () => showOverlay('shortcuts'),
    },
    {
      ...{ id: 'setup guide', group: 'Actions', title: 'Open setup guide', where: 'Help' },
      ...{ keywords: 'first run start checklist onboarding', icon: ListChecks },
      run: () => {
        save({ setup: 'open' })
        navigate('/')
      },
    },
  ]
  return [
    ...pageCommands(context),
    ...allCommands(servers),
    ...others,
    ...appearanceCommands(settings),
    ...settingCommands(context),
  ]
}
