import { AppError } from '../../../src-shared/domain/app-error'
import type { UpdateState } from '../../../src-shared/domain/state/app-update'
import { AppUpdates, type UpdateSource } from '../../core/app-updates/app-updates'
import type { OpenedLinks } from '../../core/import/opened-links'
import type { InstallationService } from '../../core/installation/installation-service'
import { checkPath } from '../../core/launch/paths/check-path'
import type { SystemNetwork } from '../../core/network/system-network'
import type { ServerDirectory } from '../../core/servers/server-directory'
import { diagnosticsOf } from '../../core/state/diagnostics'
import type { StateFeed } from '../../core/state/state-feed'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext, Shell } from './context'
import type { LogsModule } from './logs'

export type AppModule = {
  readonly snapshot: () => UpdateState | null
  /** Handlers of the app as a whole. */
  handlers(deps: AppHandlerDeps): HandlersOf<'app' | 'settings'>
  /** Installs a downloaded update; call last. Never rejects. */
  installUpdate(): Promise<void>
  close(): void
}

type AppHandlerDeps = {
  readonly feed: StateFeed
  readonly links: OpenedLinks
  readonly installations: InstallationService
  readonly logs: LogsModule
  /** Absolute path of the settings file. */
  readonly settingsFile: string
}

/** Opens Patchbay's own updates, if this installation gets any. */
export function openApp(
  ctx: AppContext,
  servers: ServerDirectory,
  { fetch }: Pick<SystemNetwork, 'fetch'>,
  source: UpdateSource | undefined,
  shell: Shell,
): AppModule {
  const { info, settings, time, changes } = ctx
  const updates =
    source &&
    new AppUpdates({
      ...{ source, version: info.version, fetch, time },
      isAutomatic: () => settings().checksForUpdates,
      end: shell.end ?? (() => undefined),
    })
  updates?.onDidChange(() => changes.topic('appUpdate'))
  return {
    snapshot: () => updates?.state ?? null,
    handlers: (deps) => appHandlers(ctx, deps, servers, updates, shell),
    installUpdate: async () => updates?.installAtQuit(),
    close: () => updates?.[Symbol.dispose](),
  }
}

function appHandlers(
  { store, notices }: AppContext,
  { feed, links, installations, logs, settingsFile }: AppHandlerDeps,
  servers: ServerDirectory,
  updates: AppUpdates | undefined,
  { showFile, showLog, signOutTabs, pickPath }: Shell,
): HandlersOf<'app' | 'settings'> {
  return {
    'app.snapshot': () => feed.snapshot(),
    'app.dismissNotice': ({ noticeId }) => notices.dismiss(noticeId),
    'app.signOutTabs': () => {
      if (!signOutTabs)
        throw new AppError('NOT_AVAILABLE_HERE', 'The desktop app has no tabs to sign out.')
      signOutTabs()
    },
    'app.dropLink': ({ linkId }) => links.drop(linkId),
    'app.pickPath': ({ kind }) => {
      if (pickPath) return pickPath(kind)
      throw new AppError('NOT_AVAILABLE_HERE', 'Browsers can’t open this computer’s file dialog.', {
        hint: 'Enter the path instead.',
      })
    },
    'app.showLog': () => {
      if (showLog) {
        showLog()
        return
      }
      throw new AppError('NOT_AVAILABLE_HERE', 'Browsers can’t open a file manager.', {
        hint: 'Open logs/patchbay.log in the profile folder.',
      })
    },
    'app.diagnostics': () => ({
      text: logs.logs.mask(diagnosticsOf(feed.snapshot(), process.versions)),
    }),
    'app.checkPath': ({ path }) => checkPath(path),
    'app.checkForUpdates': () => available(updates).check(),
    'app.downloadUpdate': () => available(updates).download(),
    'app.restartToUpdate': () =>
      available(updates).restart(servers.all().reduce((sum, { inFlight }) => sum + inFlight, 0)),
    'settings.showFile': () => {
      showFile?.(settingsFile)
      return { path: settingsFile, isShown: showFile !== undefined }
    },
    'settings.update': async (change) => {
      store.saveSettings(change)
      if ('versionsKept' in change) await installations.earlier.tidy()
      if ('logFileMb' in change || 'logDays' in change) await logs.archive.sweep()
      return store.settings
    },
  }
}

function available(updates: AppUpdates | undefined): AppUpdates {
  if (updates) return updates
  throw new AppError(
    'NOT_AVAILABLE_HERE',
    'This installation of Patchbay has no automatic updates.',
  )
}
