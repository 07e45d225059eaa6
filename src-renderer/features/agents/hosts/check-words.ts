import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import { toolsWords } from '../../../tool-parts/tool-words'
import { formatWhole } from '../../../ui/text/elapsed'

/** After this long it is more likely that something is in the way than that the app is slow, in ms. */
const LATE_MS = 60_000

/** How the check of a connection stands. */
export type Check = {
  readonly kind: 'waiting' | 'late' | 'listed'
  readonly sentence: string
}

/** Whether the agent has listed its tools since its file was written at `writtenAt`, epoch ms of main; `waitedMs` is how long a person has waited. */
export function checkOf(
  { name, listedAt, exposed }: Pick<AgentView, 'name' | 'listedAt' | 'exposed'>,
  writtenAt: number,
  waitedMs: number,
): Check {
  if (listedAt !== undefined && listedAt >= writtenAt)
    return {
      kind: 'listed',
      sentence: `${name} listed ${exposed === 0 ? 'its tools, and is shown none' : toolsWords(exposed)}, ${formatWhole(listedAt - writtenAt)} after its file was written.`,
    }
  if (waitedMs >= LATE_MS)
    return { kind: 'late', sentence: `${name} has not asked for its tools yet.` }
  return { kind: 'waiting', sentence: `Waiting until ${name} lists its tools.` }
}

/** What to try where an app does not ask: `reload` is how it reads its file anew. */
export function lateAdvice(parts: {
  readonly hostName: string
  readonly reload: string
  /** The command that was written. */
  readonly ownCommand: readonly string[]
  /** There is no keychain, from which the command could read the agent's key. */
  readonly isMemory: boolean
}): readonly string[] {
  const { hostName, reload, ownCommand, isMemory } = parts
  return [
    reload,
    `See what ${hostName} says of its server patchbay: it has to be able to start ${ownCommand[0] ?? 'patchbay'}.`,
    ...(isMemory
      ? [
          'There is no keychain here, so the command cannot read the key: make a new key on the agent’s page, and put it into the environment of the app as PATCHBAY_AGENT_KEY.',
        ]
      : []),
  ]
}
