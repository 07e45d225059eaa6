import type { AppState } from '../../src-shared/domain/app-state'
import type { BridgeLink, Connection } from '../ipc/bridge-link'
import { appStore } from './app-store'
import type { StateEvent } from './apply-event'
import { applyEvent } from './apply-event'
import { logStore } from './log-store'
import { tidyServer } from './tidy-server'

const RETRY_MS = 2_000

/**
 * Brings main's state into the stores and keeps it there until the returned function is called; the only
 * place where main's events enter. Events that come while a snapshot is under way wait for it, so that
 * nothing is lost between the two and nothing older undoes something newer.
 */
export function followMain({ bridge, watchConnection }: BridgeLink): () => void {
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
    logStore.getState().resync()
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
  const ends = [
    events['server.changed'](({ revision, server }) =>
      take({ channel: 'server.changed', payload: { revision, server: tidyServer(server) } }),
    ),
    events['server.removed']((payload) => {
      take({ channel: 'server.removed', payload })
      logStore.getState().forget(payload.installationId)
    }),
    events['notices.changed']((payload) => take({ channel: 'notices.changed', payload })),
    events['settings.changed']((payload) => take({ channel: 'settings.changed', payload })),
    events['secrets.changed']((payload) => take({ channel: 'secrets.changed', payload })),
    events['secretStore.changed']((payload) => take({ channel: 'secretStore.changed', payload })),
    events['log.appended'](({ installationId, entries }) =>
      logStore.getState().append(installationId, entries),
    ),
    watchConnection(meet),
  ]
  return () => {
    clearTimeout(sync.timer)
    sync.run += 1
    for (const end of ends) end()
  }
}
