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

/** Limits of one start, in ms; what is missing takes the default of `DEFAULT_BUDGETS`. */
export const PhaseBudgets = z.object({
  installMs: z.number().int().min(1_000).max(3_600_000).optional(),
  handshakeMs: z.number().int().min(500).max(600_000).optional(),
  discoverMs: z.number().int().min(500).max(600_000).optional(),
  /** How long a call may be without an answer or progress (F10). */
  callMs: z.number().int().min(500).max(86_400_000).optional(),
})
export type PhaseBudgets = z.infer<typeof PhaseBudgets>

/** How Patchbay speaks with one server, for servers that can't be read otherwise. */
export const ProtocolOptions = z.object({
  /** The one kind of the protocol: sessions (to 2025-11-25) or stateless (2026-07-28). Negotiated where it is missing. */
  version: z.enum(['sessions', 'stateless']).optional().catch(undefined),
  /** Each message over a pipe gets a write of its own, with a pause after it. */
  singleWrites: z.boolean().optional().catch(undefined),
})
export type ProtocolOptions = z.infer<typeof ProtocolOptions>

/** The path of a folder to run a server in. */
export const WorkingFolder = z.string().max(4_096)

/**
 * The user's copy of a catalog entry with its values, as the settings file holds it. Secret values are
 * not here: `secrets` says where each is.
 */
export const Installation = z.object({
  installationId: InstallationId,
  name: z.string(),
  source: CatalogSource,
  /** The registry that listed it, whose newer versions are offered; the official one where it is missing. */
  sourceId: z.string().max(100).optional(),
  server: ServerJson,
  /** Which package or remote of the server it uses. */
  offer: OfferRef,
  enabled: z.boolean(),
  /** First part of the names that agents see its tools by; given once, and kept when the server is renamed. Empty: not given yet. What is no text becomes one that cannot be used. */
  alias: z.string().default('').catch('?'),
  /** When it starts while it is enabled. */
  starts: StartPolicy.default('withApp'),
  /** Missing: they wait for review. */
  toolChanges: ToolChanges.optional(),
  /** Which agents share a process of it; all where it is missing. */
  sharing: Sharing.optional().catch(undefined),
  /** The addresses with which its views are shown unasked; missing where each is asked for. */
  viewDomains: ViewDomains.optional().catch(undefined),
  toolChoice: SavedToolChoice.default({ kind: 'all' }),
  values: FieldValues,
  /** What the form of another copy starts with, as the entry had it. */
  proposed: FieldValues.optional(),
  secrets: SecretPlaces,
  budgets: PhaseBudgets,
  protocol: ProtocolOptions.optional().catch(undefined),
  /** Folders that it gets when it asks for roots; absolute paths. */
  roots: z.array(z.string().max(4_096)).default([]).catch([]),
  /** Absolute folder that the server runs in; the home folder where none is named. */
  cwd: WorkingFolder.optional(),
  /** Hash of the launch plan that the user approved; see `launch-plan.ts`. */
  approvedPlan: z.string().optional(),
  createdAt: z.number(),
})
export type Installation = z.infer<typeof Installation>

/** A hash of what a page was made of: sent along when it is saved, so that a page that is out of date changes nothing. */
export const PageRevision = z.string().max(128)

/** An installation for a page that changes it. */
export const OpenedInstallation = Installation.extend({ revision: PageRevision })
export type OpenedInstallation = z.infer<typeof OpenedInstallation>
