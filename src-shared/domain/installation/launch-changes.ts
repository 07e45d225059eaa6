import * as z from 'zod'

/** One line of a comparison: a text that both have, or that only the old or the new one has. */
export const ChangedLine = z.object({
  kind: z.enum(['same', 'added', 'removed']),
  text: z.string(),
})
export type ChangedLine = z.infer<typeof ChangedLine>

/** How a launch differs from another, secrets as eight dots: its command line item by item, and its environment or headers. */
export const LaunchChanges = z.object({
  command: z.array(ChangedLine),
  pairs: z.array(ChangedLine),
})
export type LaunchChanges = z.infer<typeof LaunchChanges>
