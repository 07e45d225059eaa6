import * as z from 'zod'

import { AppErrorShape } from '../app-error'

/** A registry with API v0.1 that the catalog syncs with. A token is never part of it. */
export const RegistrySource = z.object({
  /** Set once, and kept when the address is written differently. */
  sourceId: z.string().min(1).max(100),
  /** Without `/v0.1`. */
  baseUrl: z.url({ protocol: /^https?$/ }),
  enabled: z.boolean(),
})
export type RegistrySource = z.infer<typeof RegistrySource>

/** Every way in which a request to a registry can fail. */
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

/** A failure of a registry in words for a user: `message` says what happened, `hint` how to fix it. */
export const RegistryFault = AppErrorShape.extend({ code: RegistryFaultCode })
export type RegistryFault = z.infer<typeof RegistryFault>

/** Progress of a sync; `pages` includes those of earlier, interrupted runs that it resumes. */
export const SyncProgress = z.object({
  sourceId: z.string(),
  kind: z.enum(['full', 'increment']),
  pages: z.number(),
  /** Entries received in this run. */
  entries: z.number(),
  /** Entries without a server or without a readable name. */
  leftOut: z.number(),
  elapsedMs: z.number(),
})
export type SyncProgress = z.infer<typeof SyncProgress>

/** Result of a sync. Without a `fault` the catalog holds all that the registry lists. */
export const SyncReport = SyncProgress.extend({
  /** Servers that are new or changed. */
  changed: z.number(),
  removed: z.number(),
  fault: RegistryFault.optional(),
})
export type SyncReport = z.infer<typeof SyncReport>

/** Catalog state of one source. */
export const SourceState = RegistrySource.extend({
  servers: z.number(),
  /** Epoch ms of the last completed sync; missing before the first. */
  completedAt: z.number().optional(),
  /** Pages of a full sync that can be resumed. */
  waitingPages: z.number(),
  /**
   * Unreadable entries of the last full list, as far as it was read. An increment lists only changes, so it can raise the number but never
   * lowers it.
   */
  leftOut: z.number(),
  /** Why the last sync did not complete. */
  fault: RegistryFault.optional(),
})
export type SourceState = z.infer<typeof SourceState>
