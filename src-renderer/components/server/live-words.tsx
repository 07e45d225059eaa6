import type { JSX } from 'react'

import { isWorking, type RunStatus } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useNow } from '../../stores/app-store'
import { useServerTools } from '../../stores/tools-store'
import { nextTrySentence, statusWords, waitsForUse, workingSince } from '../status/status-messages'

type Part = 'sentence' | 'brief'

function Words(props: { readonly server: ServerView; readonly part: Part }): JSX.Element {
  const { server, part } = props
  const now = useNow(tickOf(server))
  const tools = useServerTools(server.installationId)
  const firstUse = waitsForUse(server, tools?.starts) ? tools : undefined
  return <>{statusWords(server, now, firstUse)[part]}</>
}

/** What a status says, kept current automatically: nothing around it is drawn again with the time. */
export function LiveWords(props: {
  readonly server: ServerView
  readonly part: Part
}): JSX.Element {
  const { server } = props
  // Another status or process begins with the present, whatever the pace of the last one was.
  return <Words key={`${server.status.kind} ${workingSince(server)}`} {...props} />
}

/** When a server that failed is tried again, as a countdown that ends with "now". */
export function NextTry(props: {
  readonly status: Extract<RunStatus, { kind: 'backingOff' }>
}): JSX.Element {
  const { status } = props
  const now = useNow(500)
  return <>{nextTrySentence(status, now)}</>
}

/** How often the words of a server's status change, in ms. */
function tickOf(server: Pick<ServerView, 'status' | 'statusSince' | 'upSince'>): number {
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
