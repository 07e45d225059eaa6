import { join } from 'node:path'

import type { ToolsState } from '../../../src-shared/domain/agents/tools'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { installationFacts } from '../../core/history/changed-parts'
import { factsBetween, lookAt, type Watched } from '../../core/history/facts-between'
import { History } from '../../core/history/history'
import { HistoryFolder } from '../../core/history/history-folder'
import { SeenMarker } from '../../core/history/seen-marker'
import type { ProfileDocument } from '../../core/installation/store/profile-document'
import type { ServerDirectory } from '../../core/servers/server-directory'
import type { StateFeed } from '../../core/state/state-feed'

/** What happened to the servers, kept over restarts. */
export type OpenHistory = {
  readonly history: History
  readonly looked: SeenMarker
  /** Writes what waits; settles within about 2 s. */
  close(): Promise<void>
}

const NEVER_STARTED: Watched = { status: { kind: 'stopped' }, phases: [], restarts: 0 }

/** Opens the histories below the profile folder and follows what the screens are told. */
export function openHistory(parts: {
  readonly profileDir: string
  readonly store: ProfileDocument
  readonly feed: StateFeed
  readonly servers: () => Pick<ServerDirectory, 'find'>
}): OpenHistory {
  const { profileDir, store, feed, servers } = parts
  const noticeId = 'history-files'
  const folder = new HistoryFolder({
    folder: join(profileDir, 'history'),
    onTrouble: (message) => {
      if (message === undefined) feed.dismissNotice(noticeId)
      else
        feed.addNotice({
          ...{ noticeId, severity: 'warn', message },
          title: 'Server history isn’t saved to disk',
        })
    },
  })
  const history = new History({ folder, now: Date.now })
  const following = [
    followServers(history, feed, servers),
    followTools(history, feed),
    followStore(history, store),
  ]
  return {
    history,
    looked: new SeenMarker(join(profileDir, 'looked.json')),
    close: async () => {
      for (const one of following) one[Symbol.dispose]()
      await history.close()
    },
  }
}

function followServers(
  history: History,
  feed: StateFeed,
  servers: () => Pick<ServerDirectory, 'find'>,
): Disposable {
  const seen = new Map<string, Watched>()
  const changed = (server: ServerView): void => {
    const { installationId } = server
    const before = seen.get(installationId)
    seen.set(installationId, lookAt(server))
    const isByPerson = servers().find(installationId)?.isStoppedByPerson ?? false
    // Who is signed in when the app starts has been so before.
    const known = before ?? { ...NEVER_STARTED, signedIn: server.signedIn }
    history.add(installationId, factsBetween(known, server, isByPerson))
  }
  return feed.onEvent(({ channel, payload }) => {
    if (channel === 'server.changed') changed(payload.server)
    if (channel === 'server.removed') seen.delete(payload.installationId)
  })
}

/** What waits for a decision came by a list; less of it by a decision. */
function followTools(history: History, feed: StateFeed): Disposable {
  const seen = new Map<string, number>()
  const changed = ({ servers }: ToolsState): void => {
    for (const { installationId, held } of servers) {
      const before = seen.get(installationId)
      seen.set(installationId, held)
      // What waited when the app started was told of in an earlier run.
      if (before === undefined || before === held) continue
      const fact =
        held > before
          ? ({ kind: 'toolsHeld', count: held } as const)
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
  const line = { before: now() }
  return store.onDidChange(({ wentBack }) => {
    const { before } = line
    line.before = now()
    for (const [installationId, one] of line.before) {
      const was = before.get(installationId)
      if (was !== one)
        history.add(installationId, installationFacts(was, one, wentBack === installationId))
    }
  })
}
