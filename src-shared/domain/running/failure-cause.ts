import * as z from 'zod'

import { RunnerName } from '../runner-name'

/** The one step that leads on from a known cause. */
const CauseStep = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('viewLog') }),
  /** To the form, at a variable of the environment where it names one. */
  z.object({ kind: z.literal('configure'), variable: z.string().optional() }),
  /** To the form, with these options for the runner filled in. */
  z.object({ kind: z.literal('addOptions'), options: z.array(z.string()).min(1) }),
  z.object({ kind: z.literal('setRunner'), runner: RunnerName }),
  /** To the part of the settings about proxies and certificates. */
  z.object({ kind: z.literal('network') }),
  /** To the field of its port, with a free one; `taken` is the one that another program has. */
  z.object({ kind: z.literal('pickPort'), taken: z.number().int().optional() }),
  /** To the form, with these words in place of its command, more than one before its arguments. */
  z.object({ kind: z.literal('setCommand'), words: z.array(z.string()).min(1) }),
  /** To the form, with this working folder. */
  z.object({ kind: z.literal('runInFolder'), folder: z.string() }),
  /** To the form, with the address that a redirect named. */
  z.object({ kind: z.literal('useAddress'), address: z.string() }),
  /** To a new server over HTTP at this address. */
  z.object({ kind: z.literal('addHttp'), url: z.string() }),
  /** To the command, which the user runs in a terminal. */
  z.object({ kind: z.literal('setUpInTerminal') }),
  /** Main takes away what the runner keeps of the package, and starts it again. */
  z.object({ kind: z.literal('repair') }),
])

/** Why a server failed, where its lines say so in words that are known (E15). */
export const FailureCause = z.object({
  causeId: z.string(),
  /** One sentence. */
  sentence: z.string(),
  step: CauseStep,
  /** No retry can succeed before the user changes something. */
  isPermanent: z.literal(true).optional(),
  /** The next retry waits so long at least, in ms. */
  retryAfterMs: z.number().optional(),
})
export type FailureCause = z.infer<typeof FailureCause>
