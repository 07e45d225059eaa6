import * as z from 'zod'

import { RunnerName } from '../runner-name'

/** The next step for a known cause. */
const CauseStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('viewLog') }),
  /** Open the form, at an environment variable if it names one. */
  z.object({ kind: z.literal('configure'), variable: z.string().optional() }),
  /** Open the form with these options for the runner filled in. */
  z.object({ kind: z.literal('addOptions'), options: z.array(z.string()).min(1) }),
  z.object({ kind: z.literal('setRunner'), runner: RunnerName }),
  /** Open the settings on proxies and certificates. */
  z.object({ kind: z.literal('network') }),
  /** Open the field of its port with a free one; `taken` is the port that another program uses. */
  z.object({ kind: z.literal('pickPort'), taken: z.number().int().optional() }),
  /** Open the form with these words as its command; further words precede its arguments. */
  z.object({ kind: z.literal('setCommand'), argv: z.array(z.string()).min(1) }),
  /** Open the form with this working folder. */
  z.object({ kind: z.literal('runInFolder'), folder: z.string() }),
  /** Open the form with the address that a redirect named. */
  z.object({ kind: z.literal('useAddress'), address: z.string() }),
  /** Add a new HTTP server at this address. */
  z.object({ kind: z.literal('addHttp'), url: z.string() }),
  /** Show the command, which the user runs in a terminal. */
  z.object({ kind: z.literal('setUpInTerminal') }),
  /** Main deletes the runner's copy of the package and starts the server again. */
  z.object({ kind: z.literal('repair') }),
])

/** Why a server failed, if its log has a known message (E15). */
export const FailureCause = z.object({
  causeId: z.string(),
  /** One sentence. */
  message: z.string(),
  step: CauseStep,
  /** Retries cannot succeed before the user changes something. */
  isPermanent: z.literal(true).optional(),
  /** Minimum wait before the next retry, in ms. */
  retryAfterMs: z.number().optional(),
})
export type FailureCause = z.infer<typeof FailureCause>
