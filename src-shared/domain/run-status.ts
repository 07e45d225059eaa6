import * as z from 'zod'

import { AppErrorCode } from './app-error'
import { FieldProblem } from './launch-plan'
import { RunnerAdvice } from './runner-advice'

/** The steps of a start, in order; `setUp` is there only when a missing runner is installed first. */
export const StartPhase = z.enum(['setUp', 'resolve', 'install', 'spawn', 'handshake', 'discover'])
export type StartPhase = z.infer<typeof StartPhase>

/** One step of the newest start: epoch ms; `endedAt` is missing while it runs. `budgetMs` counts from `startedAt`. */
export const PhaseRecord = z.object({
  phase: StartPhase,
  startedAt: z.number(),
  endedAt: z.number().optional(),
  budgetMs: z.number(),
  outcome: z.enum(['running', 'done', 'failed', 'skipped', 'cancelled']),
  /** True while it waits for others to finish; its budget does not run yet. */
  isWaiting: z.boolean().optional(),
  /** What is special about this step, as a few words without full stop. */
  note: z.string().optional(),
})
export type PhaseRecord = z.infer<typeof PhaseRecord>

export const RunStatus = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stopped') }),
  z.object({ kind: z.literal('starting'), phase: StartPhase }),
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('degraded'), warnings: z.array(z.string()) }),
  z.object({
    kind: z.literal('error'),
    code: AppErrorCode,
    message: z.string(),
    hint: z.string().optional(),
    /** The last stderr lines, oldest first, masked. */
    stderrTail: z.array(z.string()),
    /** With CONFIG_INCOMPLETE: the fields to mend. */
    fields: z.array(FieldProblem),
    /** Where a runner is missing, too old or not running: what mends it. */
    advice: RunnerAdvice.optional(),
    /** What still runs of it and a stop ends: processes that linger, or a download that goes on. */
    leftover: z.enum(['processes', 'download']).optional(),
  }),
  z.object({ kind: z.literal('stopping') }),
])
export type RunStatus = z.infer<typeof RunStatus>

/** True while a process of the server may be alive. */
export function isActive(status: RunStatus): boolean {
  return ['starting', 'ready', 'degraded', 'stopping'].includes(status.kind)
}
