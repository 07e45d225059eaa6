import type { ToolExposure } from '../../../../src-shared/domain/agents/tools'
import { AppError } from '../../../../src-shared/domain/app-error'
import { slipsBetween } from '../../catalog/search/near-words'
import { SEPARATOR } from '../names/tool-names'

const MOST_NEAR = 3

/** Why an agent is not shown a tool: its standing, the tool limit of the agent, or the choice of its profile. */
export type HiddenReason = Exclude<ToolExposure, 'exposed'> | 'overLimit' | 'notChosen'

/** Why an agent is not shown a tool. */
export function hiddenError(exposedName: string, reason: HiddenReason): AppError {
  const why = {
    notChosen: 'is not available to this agent',
    off: 'is turned off',
    held: "needs review: it is new or changed since the user approved this server's tools",
    refused: 'was rejected by the user',
    quarantined: "has a definition that agents can't use",
    overLimit: "is over this agent's tool limit",
  } as const
  return new AppError('TOOL_NOT_EXPOSED', `${exposedName} ${why[reason]}.`, {
    hint: 'The user can change this in Patchbay.',
  })
}

/** There is no tool of a name; the nearest of `exposed` are named. */
export function unknownError(name: string, exposed: readonly string[]): AppError {
  const hint = nearestHint(name, exposed) ?? 'List tools again.'
  const message = 'Unknown tool: no available server has a tool with this name.'
  return new AppError('NOT_FOUND', message, { hint })
}

/** Slips of a model: it leaves out a letter or takes another, and seldom more. */
const MOST_SLIPS = 3
/** No exposed name is longer; what is asked for may be anything. */
const LONGEST = 64

/** Names those that may have been meant, the nearest first: the same tool of a server, or a slip away; undefined for none. */
export function nearestHint(asked: string, names: readonly string[]): string | undefined {
  if (asked.length > LONGEST) return undefined
  const own = toolOf(asked)
  const near = names
    .map((name) => ({
      name,
      slips: toolOf(name) === own ? 0 : slipsBetween(asked, name, MOST_SLIPS),
    }))
    .filter((one): one is { name: string; slips: number } => one.slips !== undefined)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, MOST_NEAR)
    .map(({ name }) => name)
  return near.length > 0 ? `The closest names are ${near.join(', ')}.` : undefined
}

/** What comes after the alias; all of a name without one. */
function toolOf(name: string): string {
  const at = name.indexOf(SEPARATOR)
  return at < 0 ? name : name.slice(at + SEPARATOR.length)
}
