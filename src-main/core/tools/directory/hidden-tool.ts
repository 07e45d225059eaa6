import type { ToolStanding } from '../../../../src-shared/domain/agents/tools'
import { AppError, type AppErrorCode } from '../../../../src-shared/domain/app-error'
import { nearestNames } from '../names/nearest-names'
import type { PlacedTool } from './placed-server'

const MOST_NEAR = 3

/** Why an agent is not shown a tool: its standing, the tool limit of the agent, or the choice of its profile. */
export type HiddenReason = Exclude<ToolStanding, 'exposed'> | 'overLimit' | 'notChosen'

/** A tool that agents are not shown: `standing` says why, or that no server has it. */
export class ToolNotExposedError extends AppError {
  constructor(
    code: AppErrorCode,
    message: string,
    readonly standing: HiddenReason | 'unknown',
    hint: string,
  ) {
    super(code, message, { hint })
  }
}

/** Why an agent is not shown a tool. */
export function hiddenError(placed: PlacedTool, reason: HiddenReason): ToolNotExposedError {
  const { exposedName = placed.tool.name } = placed
  const why = {
    notChosen: 'is not shown to this agent',
    off: 'is switched off',
    held: 'is held back: it is new or changed since its person approved the tools of this server',
    refused: 'was refused by its person',
    quarantined: 'cannot be used by agents',
    overLimit: 'is over the tool limit of this agent',
  } as const
  return new ToolNotExposedError(
    'TOOL_NOT_EXPOSED',
    `${exposedName} ${why[reason]}.`,
    reason,
    'Its person can change that in Patchbay.',
  )
}

/** There is no tool of a name; the nearest of `exposed` are named. */
export function unknownError(name: string, exposed: readonly string[]): ToolNotExposedError {
  const near = nearestNames(name, exposed, MOST_NEAR)
  const hint =
    near.length > 0 ? `The nearest names are ${near.join(', ')}.` : 'List the tools again.'
  return new ToolNotExposedError('NOT_FOUND', 'No server has a tool of this name.', 'unknown', hint)
}
