import * as z from 'zod'

import { InstallationId } from './installation'

/** How far the opening of a bundle is, in bytes and files; `total` is missing where nobody says it. */
export const BundleProgress = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('waiting') }),
  z.object({
    kind: z.literal('reading'),
    received: z.number().int(),
    total: z.number().int().optional(),
  }),
  z.object({ kind: z.literal('unpacking'), files: z.number().int(), total: z.number().int() }),
])
export type BundleProgress = z.infer<typeof BundleProgress>

/** An installation of a bundle that calls itself the same; `step` says what the opened file would be to it. */
export const InstalledBundle = z.object({
  installationId: InstallationId,
  name: z.string(),
  version: z.string(),
  step: z.enum(['same', 'newer', 'other']),
})
export type InstalledBundle = z.infer<typeof InstalledBundle>

/** A bundle that is unpacked and ready to be set up as the catalog entry `entryId`, package 0. */
export const OpenedBundle = z.object({
  entryId: z.string(),
  title: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  author: z.string().optional(),
  /** SHA-256 of the whole file in lower-case hex. */
  sha256: z.string(),
  /** Whether the entry named that hash; a local file has nothing to be compared with. */
  isVerified: z.boolean(),
  fileBytes: z.number().int(),
  files: z.number().int(),
  /** Of all files once unpacked. */
  bytes: z.number().int(),
  /** Sentences on what its manifest leaves open, and on what it needs. */
  notices: z.array(z.string()),
  /** What it could go on instead of being set up again; none for one of a registry. */
  installed: z.array(InstalledBundle),
})
export type OpenedBundle = z.infer<typeof OpenedBundle>
