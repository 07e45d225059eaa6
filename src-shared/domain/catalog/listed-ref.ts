import * as z from 'zod'

/** Source of the servers that come with Patchbay. */
export const STARTER_SOURCE = 'starter'
/** Source of servers that were pasted since the app started. */
export const PASTED_SOURCE = 'pasted'
/** Source whose address is the registry of the settings. */
export const OFFICIAL_SOURCE = 'official'

/** Reference to a server in a list: the full, case-sensitive name is unique within its source. */
export const ListedRef = z.object({
  sourceId: z.string().min(1).max(100),
  name: z.string().min(1).max(400),
})
export type ListedRef = z.infer<typeof ListedRef>

/** Returns both parts as one text, for maps and lists. */
export function listedKey({ sourceId, name }: ListedRef): string {
  return `${sourceId} ${name}`
}
