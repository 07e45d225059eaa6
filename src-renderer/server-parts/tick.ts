import type { ServerView } from '../../src-shared/domain/app-state'

/** How often the words of a server's status change, in ms. */
export function tickOf({ status, statusSince }: ServerView): number {
  if (status.kind === 'starting') return 500
  if (status.kind === 'stopping') return 500
  if (status.kind === 'ready' && Date.now() - statusSince < 60_000) return 1_000
  return 20_000
}
