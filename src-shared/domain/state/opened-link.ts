import * as z from 'zod'

/** A link or a bundle's path that the app was opened with, unprocessed: nothing of it was read, run or written. */
export const OpenedLink = z.object({
  linkId: z.uuid(),
  kind: z.enum(['link', 'bundle']),
  text: z.string(),
})
export type OpenedLink = z.infer<typeof OpenedLink>
