import { AppError } from '../../../src-shared/domain/app-error'
import type { AppUpdates } from '../../core/app-updates/app-updates'
import type { OpenedLinks } from '../../core/import/opened-links'
import type { InstallationService } from '../../core/installation/installation-service'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { checkPath } from '../../core/launch/paths/check-path'
import type { LogArchive } from '../../core/log/log-archive'
import type { DocumentStore } from '../../core/ports'
import type { StateFeed } from '../../core/state/state-feed'
import type { Handlers } from '../answer'

export type AppParts = {
  readonly store: ProfileDocument
  readonly installations: InstallationService
  readonly archive: LogArchive
  readonly feed: StateFeed
  readonly links: OpenedLinks
  readonly document: Pick<DocumentStore, 'file'>
  /** Shows a file in the system's file manager; missing where there is none. */
  readonly showFile?: ((path: string) => void) | undefined
  /** Shows the log of the app in the system's file manager; missing where there is none. */
  readonly showLog?: (() => void) | undefined
  /** Ends every tab; missing where the app has its own window. */
  readonly signOutTabs?: (() => void) | undefined
  /** Undefined where this installation gets no updates. */
  readonly updates: AppUpdates | undefined
  /** Opens the system's file dialog; missing where there is none. */
  readonly pickPath?: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined
}

/** Answers what concerns the app as a whole. */
export function appHandlers({
  store,
  installations,
  archive,
  feed,
  links,
  document,
  showFile,
  showLog,
  signOutTabs,
  updates,
  pickPath,
}: AppParts): Pick<Handlers, Extract<keyof Handlers, `app.${string}` | `settings.${string}`>> {
  return {
    'app.snapshot': () => feed.snapshot(),
    'app.dismissNotice': ({ noticeId }) => feed.dismissNotice(noticeId),
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
    'app.checkPath': ({ path }) => checkPath(path),
    'app.checkForUpdates': () => available(updates).check(),
    'app.downloadUpdate': () => available(updates).download(),
    'app.restartToUpdate': () => available(updates).restart(),
    'settings.showFile': () => {
      showFile?.(document.file)
      return { path: document.file, isShown: showFile !== undefined }
    },
    'settings.update': async (change) => {
      store.saveSettings(change)
      if ('versionsKept' in change) await installations.earlier.tidy()
      if ('logFileMb' in change || 'logDays' in change) await archive.limitsChanged()
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
