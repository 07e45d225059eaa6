import type { ProtocolFaults } from '../../../../src-shared/domain/running/protocol-faults'
import { awaitPort } from '../../mcp/connections/local-http'
import type { ServerSession } from '../../mcp/session'
import { SIGN_IN_MS, type StartActivity, StartWatch } from '../start-watch/start-watch'
import type { CommandLaunch } from './launch'
import type { SpawnedSession } from './spawn-session'
import type { StartContext } from './start-context'
import type { StartTimeline } from './start-timeline'

/** How a handshake is waited for. */
export type HandshakeOptions = {
  /** Whether the package comes with the start itself. */
  readonly fetches: boolean
  /** The server runs and asks its user to sign in, so its package is there. */
  readonly onAsked: () => void
}

/**
 * Agrees with the program on the protocol. The usual limit is for a program without signs of life: one that works goes on up
 * to the download limit, and one that waits for a sign-in for minutes (F14).
 */
export async function handshake(
  { installer, faults, log, onActivity }: StartContext,
  track: StartTimeline,
  launch: CommandLaunch,
  { session, fromSeq, unfinished, printedBytes }: SpawnedSession,
  { fetches, onAsked }: HandshakeOptions,
): Promise<void> {
  const { installMs, handshakeMs } = launch.budgets
  const longestMs = Math.max(installMs, handshakeMs)
  const usualMs = fetches ? longestMs : handshakeMs
  const { tree } = session.connection
  const onChange = (activity: StartActivity): void => {
    if (activity.signIn) onAsked()
    onActivity(activity)
  }
  using watch = new StartWatch({
    ...{
      log,
      fromSeq,
      unfinished,
      printedBytes,
      tree,
      usualMs,
      longestMs,
      onChange,
      idleMs: handshakeMs,
    },
    servesHttp: launch.serves !== undefined,
  })
  await track.run('handshake', usualMs, () => shake(launch, session, usualMs, longestMs), {
    note: fetches ? 'downloading' : undefined,
    facts: launch.serves ? undefined : () => receivedFacts(session, faults.counts),
    patience: watch,
  })
  const { selfInstallKey: key } = launch
  if (key !== undefined) installer.rememberFetched(key)
  launch.spoken.remember(session.probedMode)
}

/** What came from a server that did not answer, as a sentence. */
function receivedFacts(
  { connection }: ServerSession,
  { noiseLines, unknownAnswers }: ProtocolFaults,
): string {
  if (connection.byteCounts.bytesIn === 0) return 'Nothing arrived on stdout.'
  if (unknownAnswers > 0) return 'The server sent a response, but to an unknown request.'
  if (noiseLines === 0) return 'The server started a line on stdout but did not end it.'
  return noiseLines === 1
    ? 'The server wrote a line on stdout that is not a message.'
    : `The server wrote ${noiseLines} lines on stdout that are not messages.`
}

/** One that serves HTTP is waited for until something answers at its port, or it has ended. */
async function shake(
  { serves }: CommandLaunch,
  session: ServerSession,
  usualMs: number,
  longestMs: number,
): Promise<void> {
  const patienceMs = longestMs + SIGN_IN_MS
  if (serves) {
    const over = new AbortController()
    const closing = session.onDidClose(() => over.abort())
    await awaitPort(serves.url, AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]))
    closing[Symbol.dispose]()
    if (session.isClosed) throw session.endReason('start')
  }
  await session.connect(usualMs, patienceMs)
}
