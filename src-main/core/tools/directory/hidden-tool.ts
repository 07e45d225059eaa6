import type { ToolExposure } from '../../../../src-shared/domain/agents/tools'
import { AppError } from '../../../../src-shared/domain/app-error'
import { slipsBetween } from '../../catalog/search/near-words'
import { SEPARATOR } from '../names/tool-names'

const MAX_NEAR = 3

/** Why a tool is hidden from an agent: its exposure, the agent's tool limit, or the profile's selection. */
export type HiddenReason = Exclude<ToolExposure, 'exposed'> | 'overLimit' | 'notChosen'

/** Returns the error for a call of a hidden tool. */
export function hiddenError(exposedName: string, reason: HiddenReason): AppError {
  const why = {
    notChosen: 'is not available to this agent',
    off: 'is turned off',
    needsReview: "needs review: it is new or changed since the user approved this server's tools",
    rejected: 'was rejected by the user',
    quarantined: "has a definition that agents can't use",
    overLimit: "is over this agent's tool limit",
  } as const
  return new AppError('TOOL_NOT_EXPOSED', `${exposedName} ${why[reason]}.`, {
    hint: 'The user can change this in Patchbay.',
  })
}

/** Returns the error for an unknown name, with the nearest of `exposed`. */
export function unknownError(name: string, exposed: readonly string[]): AppError {
  const hint = nearestHint(name, exposed) ?? 'List tools again.'
  const message = 'Unknown tool: no available server has a tool with this name.'
  return new AppError('NOT_FOUND', message, { hint })
}

/** Maximum typos: a model omits or replaces a letter, rarely more. */
const MAX_SLIPS = 3
/** No exposed name is longer; a requested name may be. */
const LONGEST = 64

/**
 * Returns a hint with the names that may be meant, nearest first: the same tool of a server, or a few typos away. Undefined if there is
 * none.
 */
export function nearestHint(requested: string, names: readonly string[]): string | undefined {
  if (requested.length > LONGEST) return undefined
  const own = toolOf(requested)
  const near = names
    .map((name) => ({
      name,
      slips: toolOf(name) === own ? 0 : slipsBetween(requested, name, MAX_SLIPS),
    }))
    .filter((one): one is { name: string; slips: number } => one.slips !== undefined)
    .toSorted((a, b) => a.slips - b.slips)
    .slice(0, MAX_NEAR)
    .map(({ name }) => name)
  return near.length > 0 ? `The closest names are ${near.join(', ')}.` : undefined
}

/** Returns the part after the alias, or the whole name without one. */
function toolOf(name: string): string {
  const at = name.indexOf(SEPARATOR)
  return at < 0 ? name : name.slice(at + SEPARATOR.length)
}
