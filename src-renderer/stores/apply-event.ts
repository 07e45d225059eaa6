import type { AppState, ServerView } from '../../src-shared/domain/state/app-state'
import type { EventChannel } from '../../src-shared/ipc/channels'
import type { EventPayload } from '../../src-shared/ipc/contract'

/** Those that tell of something else than the app's state. */
type OtherChannel = 'log.grew' | 'toolRun.progress' | 'toolRun.updated' | 'place.opened'
type StateChannel = Exclude<EventChannel, OtherChannel>

/** The events that change the app's state, in the order main tells them. */
export type StateEvent = {
  [C in StateChannel]: { channel: C; payload: EventPayload<C> }
}[StateChannel]

function withServer(
  servers: readonly ServerView[],
  server: ServerView,
  place = servers.length,
): ServerView[] {
  const known = servers.some(({ installationId }) => installationId === server.installationId)
  if (!known) return servers.toSpliced(place, 0, server)
  return servers.map((old) => (old.installationId === server.installationId ? server : old))
}

/** All but those of a server bring the whole of what changed, under its name. */
function changed(app: AppState, { channel, payload }: StateEvent): Partial<AppState> {
  if (channel === 'server.changed')
    return { servers: withServer(app.servers, payload.server, payload.place) }
  if (channel !== 'server.removed') return payload
  const { installationId } = payload
  return { servers: app.servers.filter((server) => server.installationId !== installationId) }
}

/** The state after an event; an event whose revision is not above the state's is already in it. */
export function applyEvent(app: AppState, event: StateEvent): AppState {
  if (event.payload.revision <= app.revision) return app
  return { ...app, ...changed(app, event), revision: event.payload.revision }
}
