import * as z from 'zod'

/** One thing that Patchbay created on this computer. */
export const RemovalItem = z.object({
  itemId: z.string().max(6_000),
  kind: z.enum(['hostEntry', 'secret', 'file', 'folder', 'login']),
  /** Label, such as “Entry patchbay of Cursor”. */
  label: z.string(),
  /** A path, or the name in the keychain. */
  place: z.string(),
  /** Size on disk in bytes; missing if it has none. */
  size: z.number().int().optional(),
})
export type RemovalItem = z.infer<typeof RemovalItem>

/** What "remove everything" deletes, and what stays, with the reason. */
export const RemovalList = z.object({
  items: z.array(RemovalItem),
  stays: z.array(z.object({ label: z.string(), reason: z.string() })),
})
export type RemovalList = z.infer<typeof RemovalList>

/** Result of the removal. */
export const RemovalOutcome = z.object({
  removed: z.array(z.string()),
  /** What could not be removed; the sentence has the reason and what to do. */
  left: z.array(z.object({ label: z.string(), place: z.string(), reason: z.string() })),
})
export type RemovalOutcome = z.infer<typeof RemovalOutcome>
