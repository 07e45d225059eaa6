import type { QueryClient } from '@tanstack/react-query'

import type { AppState } from '../../src-shared/domain/state/app-state'
import type { BridgeLink, Connection } from '../ipc/bridge-link'
import { appStore } from './app-store'
import type { StateEvent } from './apply-event'
import { applyEvent } from './apply-event'
import { emitLogChange } from './log-events'
import { noteUpdate } from './resource-updates'
import { tidyServer } from './tidy-server'
import { forgetToolRuns, noteProgress } from './tool-run-store'

const RETRY_MS = 2_000
/** What brings the whole of something, to be taken as it is. */
const WHOLE = [
  'notices.changed',
  'settings.changed',
  'secrets.changed',
  'secretStore.changed',
  'catalog.changed',
  'tools.changed',
  'questions.changed',
  'agents.changed',
  'hosts.changed',
  'activity.changed',
  'link.changed',
  'appUpdate.changed',
] as const

/**
 * Brings main's state into the stores and keeps it there until the returned function is called; the only
 * place where main's events enter. Events that come while a snapshot is under way wait for it, so that
 * nothing is lost between the two and nothing older undoes something newer. With a snapshot the answers go that nobody looks at:
 * another main may have given them.
 */
export function followMain(
  { bridge, watchConnection }: BridgeLink,
  queries: QueryClient,
): () => void {
  const sync: { waiting: StateEvent[] | null; run: number; timer?: ReturnType<typeof setTimeout> } =
    { waiting: [], run: 0 }

  const take = (event: StateEvent): void => {
    if (sync.waiting) sync.waiting.push(event)
    else appStore.setState(({ app }) => ({ app: app && applyEvent(app, event) }))
  }

  const settle = (snapshot: AppState): void => {
    const tidy = { ...snapshot, servers: snapshot.servers.map(tidyServer) }
    const app = (sync.waiting ?? []).reduce(applyEvent, tidy)
    sync.waiting = null
    appStore.setState({ app, problem: null })
    queries.removeQueries({ type: 'inactive' })
    emitLogChange(null)
  }

  const fetchSnapshot = async (): Promise<void> => {
    const run = ++sync.run
    sync.waiting = []
    const reply = await bridge.requests['app.snapshot']({})
    if (run !== sync.run) return
    if (reply.ok) {
      settle(reply.value)
    } else if (appStore.getState().connection === 'connected') {
      appStore.setState({ problem: reply.error })
      sync.timer = setTimeout(() => void fetchSnapshot(), RETRY_MS)
    }
  }

  const meet = (connection: Connection): void => {
    clearTimeout(sync.timer)
    appStore.setState({ connection })
    if (connection === 'connected') void fetchSnapshot()
  }

  const { events } = bridge
  const follow = (channel: (typeof WHOLE)[number]): (() => void) =>
    events[channel]((payload) => take({ channel, payload } as StateEvent))
  const ends = [
    events['server.changed'](({ server, ...rest }) =>
      take({ channel: 'server.changed', payload: { ...rest, server: tidyServer(server) } }),
    ),
    events['server.removed']((payload) => {
      take({ channel: 'server.removed', payload })
      forgetToolRuns(payload.installationId)
    }),
    ...WHOLE.map(follow),
    events['log.grew'](({ servers }) => emitLogChange(servers)),
    events['toolRun.progress'](noteProgress),
    events['toolRun.updated'](noteUpdate),
    watchConnection(meet),
  ]
  return () => {
    clearTimeout(sync.timer)
    sync.run += 1
    for (const end of ends) end()
  }
}
