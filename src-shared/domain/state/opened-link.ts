import * as z from 'zod'

/** A link, or the path of a bundle, that the app was opened with, as it came: nothing of it was read, run or written. */
export const OpenedLink = z.object({
  linkId: z.uuid(),
  kind: z.enum(['link', 'bundle']),
  text: z.string(),
})
export type OpenedLink = z.infer<typeof OpenedLink>
