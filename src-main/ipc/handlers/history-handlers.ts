import type { History } from '../../core/history/history'
import type { InstallationStore } from '../../core/installation/store/installation-store'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { Handlers } from '../answer'

export type HistoryParts = {
  readonly history: History
  readonly store: InstallationStore
  readonly servers: ServerDirectory
}

const DAY_MS = 86_400_000
const MOST_FAILURES = 5

/** Answers what happened to servers. */
export function historyHandlers({
  history,
  store,
  servers,
}: HistoryParts): Pick<Handlers, Extract<keyof Handlers, `history.${string}`>> {
  return {
    'history.read': ({ installationId, before, limit }) => {
      servers.read(installationId)
      return history.page(installationId, { before, limit })
    },
    'history.failures': () => {
      const ids = store.installations.map(({ installationId }) => installationId)
      return history.failures(ids, { since: Date.now() - DAY_MS, limit: MOST_FAILURES })
    },
  }
}
