import * as z from 'zod'

import { AppErrorShape } from '../app-error'

/** A registry of API v0.1 that the catalog follows; a token, where it wants one, is never part of it. */
export const RegistrySource = z.object({
  /** Chosen once, and kept when the address is written differently. */
  sourceId: z.string().min(1).max(100),
  /** Without `/v0.1`. */
  baseUrl: z.url({ protocol: /^https?$/ }),
  enabled: z.boolean(),
})
export type RegistrySource = z.infer<typeof RegistrySource>

/** Every way in which asking a registry can end other than well. */
export const RegistryFaultCode = z.enum([
  'cancelled',
  'unreachable',
  'timed-out',
  'cut-off',
  'too-large',
  'bad-redirect',
  'sign-in-needed',
  'not-found',
  'busy',
  'server-error',
  'refused',
  'web-page',
  'not-json',
  'wrong-shape',
  'repeated-cursor',
  'page-limit',
  'empty-list',
  'unreadable-list',
  'shrunken-list',
  'token-unread',
  'switched-off',
  'store-failed',
])
export type RegistryFaultCode = z.infer<typeof RegistryFaultCode>

/** What went wrong with a registry, in words for a user: `message` says what happened, `hint` what to do. */
export const RegistryFault = AppErrorShape.extend({ code: RegistryFaultCode })
export type RegistryFault = z.infer<typeof RegistryFault>

/** How far a sync is; `pages` counts the pages of earlier, interrupted runs that it goes on from. */
export const SyncProgress = z.object({
  sourceId: z.string(),
  kind: z.enum(['full', 'increment']),
  pages: z.number(),
  /** Entries that came in this run. */
  entries: z.number(),
  /** Entries of them that name no server, or name it in a way that cannot be read. */
  leftOut: z.number(),
  elapsedMs: z.number(),
})
export type SyncProgress = z.infer<typeof SyncProgress>

/** How a sync ended. Without a `fault` the catalog holds all that the registry lists. */
export const SyncReport = SyncProgress.extend({
  /** Servers that are new or different now. */
  changed: z.number(),
  removed: z.number(),
  fault: RegistryFault.optional(),
})
export type SyncReport = z.infer<typeof SyncReport>

/** What the catalog holds of one source. */
export const SourceState = RegistrySource.extend({
  servers: z.number(),
  /** Epoch ms of the last sync that came to its end; missing before the first. */
  completedAt: z.number().optional(),
  /** Pages of a full sync that waits to be gone on with. */
  waitingPages: z.number(),
  /**
   * Entries of its last full list, as far as that came, that could not be read. An increment lists only what changed, so
   * it raises the number where it left out more, and never lowers it.
   */
  leftOut: z.number(),
  /** Why the last sync did not come to its end. */
  fault: RegistryFault.optional(),
})
export type SourceState = z.infer<typeof SourceState>
