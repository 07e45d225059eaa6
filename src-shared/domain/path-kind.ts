import * as z from 'zod'

/** What a path points to: `denied` if the account has no access, `unknown` if it cannot be determined. */
export const PathKind = z.enum(['missing', 'file', 'folder', 'denied', 'unknown'])
export type PathKind = z.infer<typeof PathKind>
