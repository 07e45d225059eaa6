import type { QueryClient } from '@tanstack/react-query'

import type { FailedStatus, RunStatus } from '../../src-shared/domain/running/run-status'
import type { AppState, ServerView } from '../../src-shared/domain/state/app-state'
import { EVENT_CHANNELS } from '../../src-shared/ipc/channels'
import type { EventChannel, StateEvent } from '../../src-shared/ipc/contract'
import { nextState } from '../../src-shared/ipc/next-state'
import type { BridgeLink, Connection } from '../ipc/socket-bridge'
import { visibleText } from '../ui/text/untrusted-text'
import { appStore } from './app-store'
import { emitLogChange } from './log-events'
import { recordUpdate } from './resource-updates'
import { forgetToolRuns, recordProgress } from './tool-run-store'

const RETRY_MS = 2_000
/**
 * Copies main's state into the stores until the returned function is called; the only place that receives main's events. Events during a
 * snapshot wait for it, so that nothing is lost between the two and nothing older replaces something newer. A snapshot drops responses
 * without observers, because another main may have sent them.
 */
export function followMain(
  { bridge, watchConnection }: BridgeLink,
  queries: QueryClient,
): () => void {
  const sync: { waiting: StateEvent[] | null; run: number; timer?: ReturnType<typeof setTimeout> } =
    { waiting: [], run: 0 }

  const receive = (event: StateEvent): void => {
    const tidy = tidyEvent(event)
    if (sync.waiting) sync.waiting.push(tidy)
    else appStore.setState(({ app }) => ({ app: app && nextState(app, tidy) }))
  }

  const apply = (snapshot: AppState): void => {
    const tidy = { ...snapshot, servers: snapshot.servers.map(tidyServer) }
    const app = (sync.waiting ?? []).reduce(nextState, tidy)
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
      apply(reply.value)
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
  const follow = (channel: EventChannel): (() => void) =>
    events[channel]((payload) => receive({ channel, payload } as StateEvent))
  const ends = [
    ...EVENT_CHANNELS.filter((channel) => channel.endsWith('.changed')).map(follow),
    events['server.removed']((payload) => {
      receive({ channel: 'server.removed', payload })
      forgetToolRuns(payload.installationId)
    }),
    events['log.grew'](({ servers }) => emitLogChange(servers)),
    events['toolRun.progress'](recordProgress),
    events['toolRun.updated'](recordUpdate),
    watchConnection(meet),
  ]
  return () => {
    clearTimeout(sync.timer)
    sync.run += 1
    for (const end of ends) end()
  }
}

type Shown = { readonly message: string; readonly hint?: string | undefined }

/** Makes message and hint safe; other members stay unchanged. */
function tidyTexts<T extends Shown>(shown: T): T {
  const { message, hint } = shown
  return {
    ...shown,
    message: visibleText(message),
    hint: hint === undefined ? undefined : visibleText(hint),
  }
}

/** Makes each text of a failure safe; the rest of the status stays unchanged. */
function tidyFailure<S extends FailedStatus>(status: S): S {
  return {
    ...tidyTexts(status),
    stderrTail: status.stderrTail.map(visibleText),
    fields: status.fields.map((field) => ({ ...field, label: visibleText(field.label) })),
  }
}

function tidyStatus(status: RunStatus): RunStatus {
  switch (status.kind) {
    case 'error':
    case 'backingOff':
      return tidyFailure(status)
    case 'paused':
      return { ...tidyFailure(status), reason: visibleText(status.reason) }
    case 'degraded':
      return { ...status, warnings: status.warnings.map(visibleText) }
    case 'signInNeeded':
      return tidyTexts(status)
    case 'starting':
      if (status.activity === undefined) return status
      return { ...status, activity: visibleText(status.activity) }
    case 'awaitingSignIn':
    case 'ready':
    case 'stopping':
    case 'stopped':
      return status
  }
}

function tidyRegistryStatus(
  registryStatus: ServerView['registryStatus'],
): ServerView['registryStatus'] {
  const statusMessage = registryStatus?.statusMessage
  return registryStatus && statusMessage !== undefined
    ? { ...registryStatus, statusMessage: visibleText(statusMessage) }
    : registryStatus
}

function tidyEvent(event: StateEvent): StateEvent {
  if (event.channel !== 'server.changed') return event
  const { channel, payload } = event
  return { channel, payload: { ...payload, server: tidyServer(payload.server) } }
}

/** Makes the texts of a server safe for one line: no character in them reverses or hides others. */
export function tidyServer(server: ServerView): ServerView {
  const { signIn, signInOffer } = server
  return {
    ...server,
    name: visibleText(server.name),
    description: visibleText(server.description),
    identifier: visibleText(server.identifier),
    entryName: visibleText(server.entryName),
    status: tidyStatus(server.status),
    registryStatus: tidyRegistryStatus(server.registryStatus),
    earlier: server.earlier.map((one) => ({ ...one, version: visibleText(one.version) })),
    signIn: signIn?.kind === 'failed' ? tidyTexts(signIn) : signIn,
    signInOffer: signInOffer && tidyTexts(signInOffer),
  }
}
