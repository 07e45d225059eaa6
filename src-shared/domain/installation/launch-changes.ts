import * as z from 'zod'

/** One line of a comparison: in both texts, or only in the old or the new one. */
export const ChangedLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  text: z.string(),
})
export type ChangedLine = z.infer<typeof ChangedLine>

/** Differences between two launches, secrets as eight dots: the command line item by item, and environment or headers. */
export const LaunchChanges = z.object({
  command: z.array(ChangedLine),
  pairs: z.array(ChangedLine),
})
export type LaunchChanges = z.infer<typeof LaunchChanges>
