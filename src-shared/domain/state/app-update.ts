import * as z from 'zod'

/** A newer version of Patchbay, from a manifest with a valid signature. */
export const NewVersion = z.object({
  version: z.string(),
  /** Plain text; may be empty. */
  notes: z.string(),
})
export type NewVersion = z.infer<typeof NewVersion>

/** State of Patchbay's own update. */
export const UpdateState = z.discriminatedUnion('kind', [
  /** No check has run yet. */
  z.object({ kind: z.literal('idle') }),
  z.object({ kind: z.literal('checking') }),
  /** `checkedAt` is in epoch ms. */
  z.object({ kind: z.literal('current'), checkedAt: z.number() }),
  /** With a `command`, a package manager owns the installation: the user runs the command. */
  NewVersion.extend({ kind: z.literal('available'), command: z.string().optional() }),
  NewVersion.extend({
    kind: z.literal('downloading'),
    /** From 0 to 100. */
    percent: z.number(),
  }),
  /** Verified; Patchbay installs it when it quits. */
  NewVersion.extend({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('failed'),
    message: z.string(),
    hint: z.string().optional(),
    checkedAt: z.number(),
  }),
])
export type UpdateState = z.infer<typeof UpdateState>
