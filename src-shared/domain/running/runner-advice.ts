import * as z from 'zod'

import { RunnerName } from '../runner-name'

/** One command of a setup, run without a shell in a private folder of its own. */
export const SetupStep = z.object({ command: z.string(), args: z.array(z.string()) })
export type SetupStep = z.infer<typeof SetupStep>

/** An official way to fix a runner; the renderer names it by `setupId` only. */
export const RunnerSetup = z.object({
  setupId: z.string().max(60),
  /** The verb and how: "Install uv with its own installer". */
  title: z.string(),
  steps: z.array(SetupStep),
  /** Whether Patchbay can run it here; if not, `note` says why. */
  canRun: z.boolean(),
  note: z.string().optional(),
})
export type RunnerSetup = z.infer<typeof RunnerSetup>

/** What stands in the way of a runner. */
export const RunnerProblem = z.enum(['missing', 'tooOld', 'notRunning'])
export type RunnerProblem = z.infer<typeof RunnerProblem>

/** What to do about a command that cannot run, as part of an error; not every command is a runner. */
export const RunnerAdvice = z.object({
  command: z.string(),
  runner: RunnerName.optional(),
  problem: RunnerProblem,
  /** Folders that were searched, in order; the one path that is set manually stands alone. */
  lookedIn: z.array(z.string()),
  found: z.object({ path: z.string(), version: z.string().optional() }).optional(),
  setups: z.array(RunnerSetup),
})
export type RunnerAdvice = z.infer<typeof RunnerAdvice>

/** A runner as Settings shows it. */
export const RunnerView = z.object({
  runner: RunnerName,
  /** Whether the path was typed manually or found on the PATH. */
  source: z.enum(['set', 'found']),
  /** Missing where there is no such program. */
  path: z.string().optional(),
  /** Such as `Node.js 24.21.0`; missing where it is unknown. */
  version: z.string().optional(),
  /** A sentence on what is wrong with it. */
  problem: z.string().optional(),
})
export type RunnerView = z.infer<typeof RunnerView>
