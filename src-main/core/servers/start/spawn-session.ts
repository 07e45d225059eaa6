import { checkPortIsFree, servedFetch } from '../../mcp/connections/local-http'
import { StdioConnection } from '../../mcp/connections/stdio'
import { openHttpConnection } from '../../mcp/connections/streamable-http'
import type { Connection } from '../../mcp/peer/connection'
import { ServerSession } from '../../mcp/session'
import { type RunningChild, spawnChild } from '../../process/spawn/child-process'
import { chosenMode, type CommandLaunch, type LocalHttpAddress } from './launch'
import { logGivenUp } from './log-given-up'
import type { StartContext } from './start-context'

/** A session whose program runs, and what it prints meanwhile. */
export type SpawnedSession = {
  readonly session: ServerSession
  /** Of the first line of its log. */
  readonly fromSeq: number
  /** Texts on stderr and stdout whose line has not ended. */
  readonly unfinished: () => string[]
  readonly printedBytes: () => number
}

/** Starts the command of a launch, and opens the session with it that `context` is told of. */
export async function spawnSession(
  context: StartContext,
  launch: CommandLaunch,
): Promise<SpawnedSession> {
  const { log } = context
  const { serves } = launch
  if (serves) await checkPortIsFree(serves.url)
  log.append('patchbay', 'debug', launch.shown)
  const fromSeq = log.nextSeq
  const stderr = log.intake('stderr')
  const child = await spawnChild(launch.spec, stderr)
  const noise = log.intake('stdout')
  const connection: Connection = serves
    ? localConnection(context, launch, child, { serves, onExpired: () => session.expire() })
    : new StdioConnection(child, {
        onNoise: (line) => {
          noise.pushLine(line)
          context.onNoise()
          context.faults.add('noiseLines')
        },
        maxMessageBytes: launch.maxMessageBytes,
        singleWrites: launch.protocol?.singleWrites,
        onWarning: (message) => log.append('patchbay', 'warn', message),
      })
  const chosen = chosenMode(launch)
  const session: ServerSession = new ServerSession(connection, {
    clientVersion: context.clientVersion,
    serverRequests: context.serverRequests,
    protocolMode: chosen ?? (serves?.transport === 'sse' ? 'legacy' : launch.spoken.protocolMode),
    isModeChosen: chosen !== undefined,
    packageVersion: launch.packageVersion,
    onWarning: (message) => log.append('patchbay', 'warn', message),
    onGiveUp: (error) => logGivenUp(log, error),
    onFault: (fault, detail) => context.faults.add(fault, detail),
    onText: (text) => noise.pushLine(Buffer.from(text)),
    tap: context.openTap?.(),
    maxMessageBytes: launch.maxMessageBytes,
    stderrTail: context.stderrTail,
    requestMs: launch.budgets.requestMs,
    callMs: launch.budgets.callMs,
  })
  context.onSpawned(session)
  return {
    ...{ session, fromSeq },
    unfinished: () => {
      const stdout = connection instanceof StdioConnection ? connection.unfinished : ''
      return [stderr.unfinished, stdout].filter((text) => text !== '')
    },
    printedBytes: () => stderr.received + connection.byteCounts.bytesIn,
  }
}

function localConnection(
  { log }: StartContext,
  { maxMessageBytes }: CommandLaunch,
  child: RunningChild,
  { serves, onExpired }: { readonly serves: LocalHttpAddress; readonly onExpired: () => void },
): Connection {
  const output = log.intake('stdout')
  // Whatever it writes to its stdout: it speaks elsewhere.
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  const fetch = servedFetch(child, (status) =>
    log.append(
      'patchbay',
      'info',
      `The server returns ${String(status)}. Retrying until it is ready`,
    ),
  )
  const onWarning = (message: string): unknown => log.append('patchbay', 'warn', message)
  return openHttpConnection(serves, { fetch, maxMessageBytes, onExpired, child, onWarning })
}
