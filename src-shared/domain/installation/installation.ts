import * as z from 'zod'

import { CatalogSource } from '../catalog/catalog-entry'
import { FieldValues } from '../server-json/field-values'
import { OfferRef } from '../server-json/offer'
import { ServerJson } from '../server-json/server-json'
import { Sharing } from '../sharing'
import { SavedToolChoice, StartPolicy, ToolChanges } from '../tool-choice'
import { SecretPlaces } from './secret-place'
import { ViewDomains } from './view'

export const InstallationId = z.string().min(1).max(64)

/** Time limits of one start, in ms; a missing one has the default of `DEFAULT_BUDGETS`. */
export const PhaseBudgets = z.object({
  installMs: z.number().int().min(1_000).max(3_600_000).optional(),
  handshakeMs: z.number().int().min(500).max(600_000).optional(),
  discoverMs: z.number().int().min(500).max(600_000).optional(),
  /** How long a call may take without a response or progress (F10). */
  callMs: z.number().int().min(500).max(86_400_000).optional(),
})
export type PhaseBudgets = z.infer<typeof PhaseBudgets>

/** Protocol settings for servers that can't be used with the defaults. */
export const ProtocolOptions = z.object({
  /** The only protocol to use: sessions (up to 2025-11-25) or stateless (2026-07-28). Negotiated if missing. */
  version: z.enum(['sessions', 'stateless']).optional().catch(undefined),
  /** Writes each message to the pipe separately, with a pause after it. */
  singleWrites: z.boolean().optional().catch(undefined),
})
export type ProtocolOptions = z.infer<typeof ProtocolOptions>

/** Path of the folder to run a server in. */
export const WorkingFolder = z.string().max(4_096)

/**
 * The user's copy of a catalog entry with its values, as the settings file stores it. `secrets` holds the places of secret values, never
 * the values.
 */
export const Installation = z.object({
  installationId: InstallationId,
  name: z.string(),
  source: CatalogSource,
  /** The registry that listed it and offers its updates; the official one if missing. */
  sourceId: z.string().max(100).optional(),
  server: ServerJson,
  /** Which package or remote of the server it uses. */
  offer: OfferRef,
  enabled: z.boolean(),
  /**
   * Prefix of its exposed tool names: set once, and kept when the server is renamed. Empty: not set yet. A value that is no text becomes an
   * unusable one.
   */
  alias: z.string().default('').catch('?'),
  /** When it starts while it is enabled. */
  starts: StartPolicy.default('withApp'),
  /** Missing: new and changed tools wait for review. */
  toolChanges: ToolChanges.optional(),
  /** Which agents share a process of it; all if missing. */
  sharing: Sharing.optional().catch(undefined),
  /** Addresses with which its views open without a question; missing if each view needs one. */
  viewDomains: ViewDomains.optional().catch(undefined),
  toolChoice: SavedToolChoice.default({ kind: 'all' }),
  values: FieldValues,
  /** Initial form values of another copy, from the entry. */
  proposed: FieldValues.optional(),
  secrets: SecretPlaces,
  budgets: PhaseBudgets,
  protocol: ProtocolOptions.optional().catch(undefined),
  /** Folders returned to its `roots/list`; absolute paths. */
  roots: z.array(z.string().max(4_096)).default([]).catch([]),
  /** Absolute folder that the server runs in; the home folder if missing. */
  cwd: WorkingFolder.optional(),
  /** Hash of the approved launch plan; see `launch-plan.ts`. */
  approvedPlan: z.string().optional(),
  createdAt: z.number(),
})
export type Installation = z.infer<typeof Installation>

/** Hash of a page's data, sent when the page is saved so that an outdated page changes nothing. */
export const PageRevision = z.string().max(128)

/** An installation for a page that edits it. */
export const OpenedInstallation = Installation.extend({ revision: PageRevision })
export type OpenedInstallation = z.infer<typeof OpenedInstallation>
