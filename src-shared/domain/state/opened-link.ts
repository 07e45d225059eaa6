import * as z from 'zod'

/** A link that the app was opened with, as it came: nothing of it was read, run or written. */
export const OpenedLink = z.object({ linkId: z.uuid(), text: z.string() })
export type OpenedLink = z.infer<typeof OpenedLink>
