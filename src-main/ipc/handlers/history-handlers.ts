import type { History } from '../../core/history/history'
import type { SeenMarker } from '../../core/history/seen-marker'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { Handlers } from '../answer'

export type HistoryParts = {
  readonly history: History
  readonly looked: SeenMarker
  readonly store: ProfileDocument
  readonly servers: ServerDirectory
}

const DAY_MS = 86_400_000
const MOST_FAILURES = 5
const MOST_RECOVERIES = 10

/** Answers what happened to servers. */
export function historyHandlers({
  history,
  looked,
  store,
  servers,
}: HistoryParts): Pick<Handlers, Extract<keyof Handlers, `history.${string}`>> {
  const ids = (): string[] => store.installations.map(({ installationId }) => installationId)
  return {
    'history.read': ({ installationId, before, limit }) => {
      servers.read(installationId)
      return history.page(installationId, { before, limit })
    },
    'history.recoveries': () =>
      history.recoveries(ids(), { since: looked.at, limit: MOST_RECOVERIES }),
    'history.markLooked': () => looked.set(Date.now()),
    'history.failures': () => {
      return history.failures(ids(), { since: Date.now() - DAY_MS, limit: MOST_FAILURES })
    },
  }
}
