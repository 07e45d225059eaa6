import type { AppState } from '../domain/state/app-state'
import type { StateEvent } from './contract'

/** Returns the state after an event; the same object if the event has no state or is already included. */
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
  // Every other event replaces the member of its name completely.
  return { ...state, ...payload }
}
