import * as z from 'zod'

import { RunnerName } from '../runner-name'

/** One command of a setup, run without a shell in a private folder. */
export const SetupStep = z.object({ command: z.string(), args: z.array(z.string()) })
export type SetupStep = z.infer<typeof SetupStep>

/** An official way to fix a runner; the renderer refers to it only by `setupId`. */
export const RunnerSetup = z.object({
  setupId: z.string().max(60),
  /** The action and its means: "Install uv with its own installer". */
  title: z.string(),
  steps: z.array(SetupStep),
  /** Whether Patchbay can run it here; if not, `note` has the reason. */
  canRun: z.boolean(),
  note: z.string().optional(),
})
export type RunnerSetup = z.infer<typeof RunnerSetup>

/** Problem of a runner. */
export const RunnerProblem = z.enum(['missing', 'tooOld', 'notRunning'])
export type RunnerProblem = z.infer<typeof RunnerProblem>

/** How to fix a command that cannot run, as part of an error; not every command is a runner. */
export const RunnerAdvice = z.object({
  command: z.string(),
  runner: RunnerName.optional(),
  problem: RunnerProblem,
  /** Searched folders in order; a path that was set manually is the only one. */
  lookedIn: z.array(z.string()),
  found: z.object({ path: z.string(), version: z.string().optional() }).optional(),
  setups: z.array(RunnerSetup),
})
export type RunnerAdvice = z.infer<typeof RunnerAdvice>

/** A runner as Settings shows it. */
export const RunnerView = z.object({
  runner: RunnerName,
  /** Whether the path was set manually or found on the PATH. */
  source: z.enum(['set', 'found']),
  /** Missing if no such program exists. */
  path: z.string().optional(),
  /** Such as `Node.js 24.21.0`; missing if unknown. */
  version: z.string().optional(),
  /** A sentence on its problem. */
  problem: z.string().optional(),
})
export type RunnerView = z.infer<typeof RunnerView>
