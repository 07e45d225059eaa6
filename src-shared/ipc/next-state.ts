import type { AppState } from '../domain/state/app-state'
import type { StateEvent } from './contract'

/** The state after an event; the same one where the event is about something else, or in it already. */
export function nextState(state: AppState, { channel, payload }: StateEvent): AppState {
  if (!('revision' in payload) || payload.revision <= state.revision) return state
  const { servers } = state
  if (channel === 'server.changed') {
    const { server, place = servers.length, revision } = payload
    const at = servers.findIndex((one) => one.installationId === server.installationId)
    const others = at < 0 ? servers.toSpliced(place, 0, server) : servers.with(at, server)
    return { ...state, servers: others, revision }
  }
  if (channel === 'server.removed') {
    const { installationId, revision } = payload
    const others = servers.filter((one) => one.installationId !== installationId)
    return { ...state, servers: others, revision }
  }
  // All other events bring the whole of what changed, under its name.
  return { ...state, ...payload }
}
