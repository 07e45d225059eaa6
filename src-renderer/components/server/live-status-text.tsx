import type { JSX } from 'react'

import { isWorking, type RunStatus } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { useNow } from '../../stores/app-store'
import { useServerTools } from '../../stores/tools-store'
import { nextRetryMessage, statusText, waitsForUse, workingSince } from '../status/status-messages'

type Part = 'message' | 'brief'

function StatusText(props: { readonly server: ServerView; readonly part: Part }): JSX.Element {
  const { server, part } = props
  const now = useNow(refreshInterval(server))
  const tools = useServerTools(server.installationId)
  const firstUse = waitsForUse(server, tools?.starts) ? tools : undefined
  return <>{statusText(server, now, firstUse)[part]}</>
}

/** The text of a status, updated on its own timer without rerendering its parent. */
export function LiveStatusText(props: {
  readonly server: ServerView
  readonly part: Part
}): JSX.Element {
  const { server } = props
  // A new status or process restarts the timer, whatever its interval was.
  return <StatusText key={`${server.status.kind} ${workingSince(server)}`} {...props} />
}

/** A countdown to the next retry of a failed server that ends with "now". */
export function NextRetry(props: {
  readonly status: Extract<RunStatus, { kind: 'backingOff' }>
}): JSX.Element {
  const { status } = props
  const now = useNow(500)
  return <>{nextRetryMessage(status, now)}</>
}

/** Returns how often the text of a server's status changes, in ms. */
function refreshInterval(server: Pick<ServerView, 'status' | 'statusSince' | 'upSince'>): number {
  const { status } = server
  if (['starting', 'awaitingSignIn', 'stopping', 'backingOff'].includes(status.kind)) return 500
  const works = isWorking(status)
  if (works && Date.now() - workingSince(server) < 60_000) return 1_000
  return 20_000
}

/** Returns how often the text of the start or reconnect steps changes, in ms; 0 if none is running. */
export function phaseInterval(phases: ServerView['phases']): number {
  return phases.some(({ outcome }) => outcome === 'running') ? 500 : 0
}
