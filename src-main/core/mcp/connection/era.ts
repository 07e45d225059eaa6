import * as z from 'zod'

/** The two eras of the protocol: with `initialize` (2024-11-05 to 2025-11-25), and stateless since 2026-07-28. */
export const Era = z.enum(['legacy', 'modern'])
export type Era = z.infer<typeof Era>
