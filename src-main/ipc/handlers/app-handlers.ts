import { AppError } from '../../../src-shared/domain/app-error'
import type { InstallationStore } from '../../core/installation/installation-store'
import type { ServerDirectory } from '../../core/session/server-directory'
import type { StateFeed } from '../../core/state-feed'
import type { Handlers } from '../answer'

export type AppParts = {
  readonly store: InstallationStore
  readonly servers: ServerDirectory
  readonly feed: StateFeed
  /** Opens the system's file dialog; missing where there is none. */
  readonly pickPath: ((kind: 'folder' | 'file') => Promise<string | null>) | undefined
}

/** Answers what concerns the app as a whole. */
export function appHandlers({
  store,
  servers,
  feed,
  pickPath,
}: AppParts): Pick<Handlers, Extract<keyof Handlers, `app.${string}` | `settings.${string}`>> {
  return {
    'app.snapshot': () => feed.snapshot(),
    'app.dismissNotice': ({ noticeId }) => feed.dismissNotice(noticeId),
    'app.pickPath': ({ kind }) => {
      if (pickPath) return pickPath(kind)
      throw new AppError(
        'NOT_AVAILABLE_HERE',
        'A browser cannot open the file dialog of this computer.',
        {
          hint: 'Type the path instead.',
        },
      )
    },
    'settings.update': (change) => {
      const settings = { ...store.settings, ...change }
      store.saveSettings(settings)
      servers.setSlots(settings.spawnSlots)
      feed.settingsChanged()
      return settings
    },
  }
}
