import type { Capabilities } from '../../../src-shared/domain/agents/capability'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { type QueryOptions, type Request, useRequest } from '../../ipc/use-request'

/** Reloads for a new process or a new listing, even with equal counts. */
export function capabilityOptions({ upSince, listing }: ServerView): QueryOptions {
  return { state: [upSince, listing], isCached: true }
}

/** Returns what a server lists, or listed last if it is not running. */
export function useCapabilities(server: ServerView): Request<Capabilities> {
  const { installationId } = server
  return useRequest('server.capabilities', { installationId }, capabilityOptions(server))
}
