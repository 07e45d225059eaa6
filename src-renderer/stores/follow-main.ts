import type { AppState } from '../../src-shared/domain/app-state'
import type { BridgeLink, Connection } from '../ipc/bridge'
import type { StateEvent } from './apply-event'
import { applyEvent } from './apply-event'
import { appStore } from './app-store'
import { logStore } from './log-store'

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
    const app = (sync.waiting ?? []).reduce(applyEvent, snapshot)
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
    events['server.changed']((payload) => take({ channel: 'server.changed', payload })),
    events['server.removed']((payload) => take({ channel: 'server.removed', payload })),
    events['notices.changed']((payload) => take({ channel: 'notices.changed', payload })),
    events['settings.changed']((payload) => take({ channel: 'settings.changed', payload })),
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
