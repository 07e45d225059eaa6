import * as z from 'zod'

/** One thing that Patchbay made on this computer. */
export const RemovalItem = z.object({
  itemId: z.string().max(6_000),
  kind: z.enum(['hostEntry', 'secret', 'file', 'folder', 'login']),
  /** What it is, such as “Entry patchbay of Cursor”. */
  label: z.string(),
  /** Where it is: a path, or the name in the keychain. */
  place: z.string(),
  /** Bytes on the disk; missing where it has none. */
  size: z.number().int().optional(),
})
export type RemovalItem = z.infer<typeof RemovalItem>

/** What "remove everything" takes away, and what stays, with the reason. */
export const RemovalList = z.object({
  items: z.array(RemovalItem),
  stays: z.array(z.object({ label: z.string(), reason: z.string() })),
})
export type RemovalList = z.infer<typeof RemovalList>

/** What came of it. */
export const RemovalOutcome = z.object({
  removed: z.array(z.string()),
  /** What could not be removed; the sentence says why and what to do. */
  left: z.array(z.object({ label: z.string(), place: z.string(), reason: z.string() })),
})
export type RemovalOutcome = z.infer<typeof RemovalOutcome>
