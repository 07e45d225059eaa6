import { join } from 'node:path'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import {
  factsBetween,
  installationFacts,
  type Watched,
  watched,
} from '../../core/history/facts-between'
import { History, SeenMarker } from '../../core/history/history'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import { Disposables } from '../../core/lifecycle/disposables'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'
import type { HandlersOf } from '../../ipc/answer'
import type { AppContext } from './context'

const DAY_MS = 86_400_000
const MAX_FAILURES = 5
const MAX_RECOVERIES = 10

export type HistoryModule = {
  readonly history: History
  readonly handlers: HandlersOf<'history'>
  /** Records the events of servers and tools. */
  follow(feed: StateFeed): void
  /** Writes pending events; settles within about 2 s. */
  close(): Promise<void>
}

const NEVER_STARTED: Watched = { status: { kind: 'stopped' }, phases: [], restarts: 0 }

/** Opens the servers' histories below the profile folder. */
export function openHistory(
  { profileDir, store, notices }: AppContext,
  servers: Pick<ServerDirectory, 'find' | 'read'>,
): HistoryModule {
  const history = new History(join(profileDir, 'history'), Date.now, (message) =>
    notices.warn('history-files', 'Server history isn’t saved to disk', message),
  )
  const seenMarker = new SeenMarker(join(profileDir, 'looked.json'))
  const following = new Disposables()
  following.add(followStore(history, store))
  const ids = (): string[] => store.installations.map(({ installationId }) => installationId)
  return {
    history,
    handlers: {
      'history.read': ({ installationId, before, limit }) => {
        servers.read(installationId)
        return history.page(installationId, { before, limit })
      },
      'history.recoveries': () =>
        history.recoveries(ids(), { since: seenMarker.at, limit: MAX_RECOVERIES }),
      'history.markLooked': () => seenMarker.set(Date.now()),
      'history.failures': () =>
        history.failures(ids(), { since: Date.now() - DAY_MS, limit: MAX_FAILURES }),
    },
    follow: (feed) => {
      following.add(followServers(history, feed, servers))
      following.add(followTools(history, feed))
    },
    close: async () => {
      following[Symbol.dispose]()
      await history.close()
    },
  }
}

function followServers(
  history: History,
  feed: StateFeed,
  servers: Pick<ServerDirectory, 'find'>,
): Disposable {
  const lastStates = new Map<string, Watched>()
  const changed = (server: ServerView): void => {
    const { installationId } = server
    const before = lastStates.get(installationId)
    lastStates.set(installationId, watched(server))
    const isByUser = servers.find(installationId)?.isStoppedByUser ?? false
    // A user who is signed in at the start signed in during an earlier run.
    const previous = before ?? { ...NEVER_STARTED, signedIn: server.signedIn }
    history.add(installationId, factsBetween(previous, server, isByUser))
  }
  return feed.onEvent(({ channel, payload }) => {
    if (channel === 'server.changed') changed(payload.server)
    if (channel === 'server.removed') lastStates.delete(payload.installationId)
  })
}

/** More tools need review after a new list, fewer after the user's decision. */
function followTools(history: History, feed: StateFeed): Disposable {
  const lastCounts = new Map<string, number>()
  const changed = ({ servers }: ToolsState): void => {
    for (const { installationId, needsReview } of servers) {
      const before = lastCounts.get(installationId)
      lastCounts.set(installationId, needsReview)
      // Tools that needed review at the start were recorded in an earlier run.
      if (before === undefined || before === needsReview) continue
      const fact =
        needsReview > before
          ? ({ kind: 'toolsHeld', count: needsReview } as const)
          : ({ kind: 'toolsDecided' } as const)
      history.add(installationId, [fact])
    }
  }
  return feed.onEvent(({ channel, payload }) => {
    if (channel === 'tools.changed') changed(payload.tools)
  })
}

function followStore(history: History, store: ProfileDocument): Disposable {
  const now = (): Map<string, Installation> =>
    new Map(store.installations.map((one) => [one.installationId, one]))
  const known = { before: now() }
  return store.onDidChange(({ wentBack }) => {
    const { before } = known
    known.before = now()
    for (const [installationId, one] of known.before) {
      const was = before.get(installationId)
      if (was !== one)
        history.add(installationId, installationFacts(was, one, wentBack === installationId))
    }
  })
}
