import type { AppState, ServerView } from '../../src-shared/domain/app-state'
import type { EventChannel } from '../../src-shared/ipc/channels'
import type { EventPayload } from '../../src-shared/ipc/contract'

/** The events that change the app's state, in the order main tells them. */
export type StateEvent = {
  [C in Exclude<EventChannel, 'log.appended'>]: { channel: C; payload: EventPayload<C> }
}[Exclude<EventChannel, 'log.appended'>]

function withServer(servers: readonly ServerView[], server: ServerView): ServerView[] {
  const known = servers.some(({ installationId }) => installationId === server.installationId)
  if (!known) return [...servers, server]
  return servers.map((old) => (old.installationId === server.installationId ? server : old))
}

function changed(app: AppState, { channel, payload }: StateEvent): Partial<AppState> {
  switch (channel) {
    case 'server.changed':
      return { servers: withServer(app.servers, payload.server) }
    case 'server.removed':
      return {
        servers: app.servers.filter((server) => server.installationId !== payload.installationId),
      }
    case 'notices.changed':
      return { notices: payload.notices }
    case 'settings.changed':
      return { settings: payload.settings }
    case 'secrets.changed':
      return { secrets: payload.secrets }
    case 'secretStore.changed':
      return { secretStore: payload.secretStore }
  }
}

/** The state after an event; an event whose revision is not above the state's is already in it. */
export function applyEvent(app: AppState, event: StateEvent): AppState {
  if (event.payload.revision <= app.revision) return app
  return { ...app, ...changed(app, event), revision: event.payload.revision }
}
