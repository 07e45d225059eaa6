import * as z from 'zod'

import { InstallationId } from './installation'

/** Progress of opening a bundle, in bytes and files; `total` is missing if unknown. */
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

/** An installation of a bundle with the same name; `step` is the effect of the opened file on it. */
export const InstalledBundle = z.object({
  installationId: InstallationId,
  name: z.string(),
  version: z.string(),
  step: z.enum(['same', 'newer', 'other']),
})
export type InstalledBundle = z.infer<typeof InstalledBundle>

/** An unpacked bundle, ready to be set up as package 0 of the catalog entry `entryId`. */
export const OpenedBundle = z.object({
  entryId: z.string(),
  title: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  author: z.string().optional(),
  /** SHA-256 of the whole file, lower-case hex. */
  sha256: z.string(),
  /** Whether the entry declares that hash; a local file has none to compare with. */
  isVerified: z.boolean(),
  fileBytes: z.number().int(),
  files: z.number().int(),
  /** Size of all unpacked files. */
  bytes: z.number().int(),
  /** Sentences on what its manifest omits and what it needs. */
  notices: z.array(z.string()),
  /** Installations that it could update instead of being set up again; empty for a registry's bundle. */
  installed: z.array(InstalledBundle),
})
export type OpenedBundle = z.infer<typeof OpenedBundle>
