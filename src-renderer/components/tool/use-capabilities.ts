import type { Capabilities } from '../../../src-shared/domain/agents/capability'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { type Asking, type Request, useRequest } from '../../ipc/use-request'

/** Another process or another listing of it asks for a new reading, however equal the counts are. */
export function capabilityAsking({ upSince, listing }: ServerView): Asking {
  return { state: [upSince, listing], stays: true }
}

/** What a server lists, or listed last while it does not run. */
export function useCapabilities(server: ServerView): Request<Capabilities> {
  const { installationId } = server
  return useRequest('server.capabilities', { installationId }, capabilityAsking(server))
}
