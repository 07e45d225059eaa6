import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { offersSignIn } from '../../ui/text/status-messages'

type Server = Pick<
  ServerView,
  'status' | 'signIn' | 'signInOffer' | 'unapplied' | 'reconnecting' | 'registryStatus' | 'update'
>

type Rule = { readonly kind: string; readonly applies: (server: Server, held: number) => boolean }

/** What a server's page can say above its content; what weighs most comes first. */
const RULES = [
  // One that is under way, or failed, stands for the need of it.
  { kind: 'signIn', applies: ({ signIn }) => signIn !== undefined },
  {
    kind: 'failure',
    applies: ({ status }) =>
      isFailed(status) || status.kind === 'signInNeeded' || status.kind === 'awaitingSignIn',
  },
  {
    kind: 'progress',
    applies: ({ status }) => status.kind === 'starting' || status.kind === 'stopping',
  },
  { kind: 'signInOffer', applies: (server) => !server.signIn && offersSignIn(server) },
  {
    kind: 'deleted',
    applies: ({ registryStatus }) =>
      registryStatus !== undefined && registryStatus.status !== 'deprecated',
  },
  { kind: 'reconnecting', applies: ({ reconnecting }) => reconnecting !== undefined },
  { kind: 'changes', applies: ({ unapplied }) => unapplied.length > 0 },
  { kind: 'review', applies: (_, held) => held > 0 },
  { kind: 'warnings', applies: ({ status }) => status.kind === 'degraded' },
  {
    kind: 'deprecated',
    applies: ({ registryStatus }) => registryStatus?.status === 'deprecated',
  },
  { kind: 'update', applies: ({ update }) => update !== undefined },
  { kind: 'stopped', applies: ({ status }) => status.kind === 'stopped' },
] as const satisfies readonly Rule[]

export type NoticeKind = (typeof RULES)[number]['kind']

/** The notices of a server, by weight; `held` is how many of its tools wait for a review. */
export function noticesOf(server: Server, held: number): readonly NoticeKind[] {
  return RULES.filter(({ applies }) => applies(server, held)).map(({ kind }) => kind)
}
