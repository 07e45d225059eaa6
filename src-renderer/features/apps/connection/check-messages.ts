import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import { toolsWords } from '../../../components/tool/tool-messages'
import { formatWhole } from '../../../ui/text/format'

/** After so many ms the app is more likely blocked than slow. */
const LATE_MS = 60_000

/** The state of a connection check. */
export type Check = {
  readonly kind: 'waiting' | 'late' | 'listed'
  readonly message: string
}

/**
 * Whether the app has read its tools since `since`, epoch ms of main, or has a connection with tools read already;
 * `waitedMs` is how long the user has waited.
 */
export function checkOf(
  {
    name,
    listedAt,
    exposed,
    connections,
  }: Pick<AgentView, 'name' | 'listedAt' | 'exposed' | 'connections'>,
  since: number,
  waitedMs: number,
): Check {
  if (listedAt !== undefined && listedAt >= since)
    return {
      kind: 'listed',
      message: `${name} sees ${toolsWords(exposed)}. Read after ${formatWhole(listedAt - since)}.`,
    }
  if (listedAt !== undefined && connections > 0)
    return { kind: 'listed', message: `${name} is connected and sees ${toolsWords(exposed)}.` }
  if (waitedMs >= LATE_MS) return { kind: 'late', message: `${name} hasn’t read its tools yet.` }
  return { kind: 'waiting', message: `Waiting for ${name} to read its tools.` }
}

/** What to try where an app doesn't connect: `reload` is how the app reads its file again. */
export function lateAdvice(parts: {
  readonly appName: string
  readonly reload: string
  /** The command of the entry. */
  readonly ownCommand: readonly string[]
  /** Without a keychain the command can't read the key. */
  readonly isMemory: boolean
}): readonly string[] {
  const { appName, reload, ownCommand, isMemory } = parts
  return [
    reload,
    `Check the log of ${appName} for the server patchbay. ${appName} must be able to start ${ownCommand[0] ?? 'patchbay'}.`,
    ...(isMemory
      ? [
          'Without a keychain, the command can’t read the key. Replace the key, then set PATCHBAY_AGENT_KEY to it for the app.',
        ]
      : []),
  ]
}
