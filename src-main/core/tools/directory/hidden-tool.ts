import type { ToolExposure } from '../../../../src-shared/domain/agents/tools'
import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { nearestNames } from '../names/nearest-names'

const MOST_NEAR = 3

/** Why an agent is not shown a tool: its standing, the tool limit of the agent, or the choice of its profile. */
export type HiddenReason = Exclude<ToolExposure, 'exposed'> | 'overLimit' | 'notChosen'

/** A tool that agents are not shown: `standing` says why, or that no server has it. */
export class ToolNotExposedError extends AppError {
  constructor(
    code: AppErrorCode,
    message: string,
    readonly exposure: HiddenReason | 'unknown',
    hint: string,
  ) {
    super(code, message, { hint })
  }
}

/** Why an agent is not shown a tool. */
export function hiddenError(exposedName: string, reason: HiddenReason): ToolNotExposedError {
  const why = {
    notChosen: 'is not available to this agent',
    off: 'is turned off',
    held: "needs review: it is new or changed since the user approved this server's tools",
    refused: 'was rejected by the user',
    quarantined: "has a definition that agents can't use",
    overLimit: "is over this agent's tool limit",
  } as const
  return new ToolNotExposedError(
    'TOOL_NOT_EXPOSED',
    `${exposedName} ${why[reason]}.`,
    reason,
    'The user can change this in Patchbay.',
  )
}

/** There is no tool of a name; the nearest of `exposed` are named. */
export function unknownError(name: string, exposed: readonly string[]): ToolNotExposedError {
  const near = nearestNames(name, exposed, MOST_NEAR)
  const hint = near.length > 0 ? `The closest names are ${near.join(', ')}.` : 'List tools again.'
  return new ToolNotExposedError(
    'NOT_FOUND',
    'Unknown tool: no available server has a tool with this name.',
    'unknown',
    hint,
  )
}
