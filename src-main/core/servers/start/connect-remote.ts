import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { isOtherTransport } from '../../failure/remote-failure'
import type { RemoteTransport } from '../../mcp/connections/http-connection'
import { openHttpConnection } from '../../mcp/connections/streamable-http'
import type { ProtocolMode } from '../../mcp/negotiate'
import { ServerSession } from '../../mcp/session'
import { chosenMode, type RemoteLaunch } from './launch'
import { logGivenUp } from './log-given-up'
import type { StartContext } from './start-context'
import type { StartTimeline } from './start-timeline'

const TELLING: readonly AppErrorCode[] = [
  'SIGN_IN_NEEDED',
  'REMOTE_UNREACHABLE',
  'REMOTE_UNTRUSTED',
  'REMOTE_FAILED',
]

type Try = { readonly transport: RemoteTransport; readonly protocolMode: ProtocolMode | undefined }

/**
 * Shakes hands with a remote server, by each of the launch's transports in turn until it understands one (MCP,
 * transports, backwards compatibility); one that was too slow to say its era is asked once more. Rejects with the
 * failure of the first.
 */
export async function connectRemote(
  context: StartContext,
  track: StartTimeline,
  launch: RemoteLaunch,
): Promise<ServerSession> {
  const { handshakeMs } = launch.budgets
  context.log.append('patchbay', 'debug', launch.shown)
  return track.run('handshake', handshakeMs, async () => {
    const endsAt = performance.now() + handshakeMs
    const tries = launch.transports.map((transport) => firstTry(launch, transport))
    let first: unknown
    for (let one = tries.shift(); one; one = tries.shift()) {
      context.signal.throwIfAborted()
      const session = openSession(context, launch, one)
      try {
        await session.connect(Math.max(endsAt - performance.now(), 1))
        launch.spoken.remember({ ...session.probedMode, transport: one.transport })
        return session
      } catch (error) {
        first ??= error
        if (launch.spoken.protocolMode !== undefined)
          launch.spoken.remember({ protocolMode: undefined })
        const { probeProblem } = session.probe
        await session.close()
        const isLate = probeProblem === 'late' || probeProblem === 'silent'
        if (isLate && one.protocolMode !== 'modern' && chosenMode(launch) === undefined)
          tries.unshift({ ...one, protocolMode: 'modern' })
        else if (!isOtherTransport(causeOf(error))) throw isTelling(error) ? error : first
      }
    }
    throw first
  })
}

/** Whether a failure says more than that the server does not speak the transport that was tried last. */
function isTelling(error: unknown): boolean {
  return error instanceof AppError && TELLING.includes(error.code)
}

/** The older transport came and went before the newer era. */
function firstTry(launch: RemoteLaunch, transport: RemoteTransport): Try {
  const protocolMode = transport === 'sse' ? 'legacy' : launch.spoken.protocolMode
  return { transport, protocolMode: chosenMode(launch) ?? protocolMode }
}

function openSession(
  context: StartContext,
  launch: RemoteLaunch,
  { transport, protocolMode }: Try,
): ServerSession {
  const { log, faults, clientVersion, serverRequests, stderrTail, openTap } = context
  const { url, headers, fetch, auth, maxMessageBytes, budgets } = launch
  const connection = openHttpConnection(
    { url, headers, transport },
    {
      fetch,
      authProvider: auth,
      maxMessageBytes,
      onExpired: () => session.expire(),
      onWarning: (message) => log.append('patchbay', 'warn', message),
    },
  )
  const session: ServerSession = new ServerSession(connection, {
    clientVersion,
    serverRequests,
    protocolMode,
    isModeChosen: chosenMode(launch) !== undefined,
    onWarning: (message) => log.append('patchbay', 'warn', message),
    onGiveUp: (error) => logGivenUp(log, error),
    onFault: (fault, detail) => faults.add(fault, detail),
    tap: openTap?.(),
    maxMessageBytes,
    stderrTail,
    requestMs: budgets.requestMs,
    callMs: budgets.callMs,
  })
  context.onSpawned(session)
  return session
}

/** What the SDK threw, below Patchbay's words for it. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}
