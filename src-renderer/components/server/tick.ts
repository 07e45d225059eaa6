import { isWorking } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { workingSince } from '../../ui/text/status-messages'

/** How often the words of a server's status change, in ms. */
export function tickOf(server: Pick<ServerView, 'status' | 'statusSince' | 'upSince'>): number {
  const { status } = server
  if (['starting', 'awaitingSignIn', 'stopping', 'backingOff'].includes(status.kind)) return 500
  const works = isWorking(status)
  if (works && Date.now() - workingSince(server) < 60_000) return 1_000
  return 20_000
}

/** How often what is said of the steps of a start or a reconnect changes, in ms; 0 when none is under way. */
export function phaseTick(phases: ServerView['phases']): number {
  return phases.some(({ outcome }) => outcome === 'running') ? 500 : 0
}
