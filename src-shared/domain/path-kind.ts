import * as z from 'zod'

/** What is at a path: `denied` where the account may not look, `unknown` where nothing can be said. */
export const PathKind = z.enum(['missing', 'file', 'folder', 'denied', 'unknown'])
export type PathKind = z.infer<typeof PathKind>
