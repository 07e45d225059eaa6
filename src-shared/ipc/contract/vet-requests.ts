import * as z from 'zod'

import { WorkingFolder } from '../../domain/installation/installation'
import { SecretPlaces } from '../../domain/installation/secret-place'
import { FieldValues } from '../../domain/server-json/field-values'
import { VetProgress, VetReport } from '../../domain/vet/vet-report'
import { command, EntryId, EntryRef, request, ServerRef } from './refs'

const Options = z.object({
  /** Calls read-only tools with invalid arguments. */
  callReadOnly: z.boolean().default(false),
  /** Asks the package registry for known vulnerabilities. */
  advisories: z.boolean().default(false),
  /** Longest time of one check, in ms. */
  checkMs: z.number().int().min(1_000).max(600_000).optional(),
})

/** A server, or an entry of the catalog that need not be installed. */
const Subject = z.union([ServerRef, z.object({ entryId: EntryId })])

/** Checks of servers, and their reports. */
export const vetRequests = {
  /**
   * Checks a server in processes of its own, and answers when that is done; the report is kept. Rejects with NOT_FOUND,
   * CONSENT_REQUIRED, INVALID_REQUEST while it is checked already, or REQUEST_CANCELLED.
   */
  'vet.run': request(ServerRef.extend(Options.shape), VetReport),
  /**
   * Installs an entry, checks it as `vet.run` does, and removes it again. `approvedPlan` is the hash of the preview that
   * the user approved. Rejects as `installation.create` and `vet.run` do.
   */
  'vet.runEntry': request(
    EntryRef.extend(Options.shape).extend({
      values: FieldValues,
      secrets: SecretPlaces.optional(),
      cwd: WorkingFolder.optional(),
      approvedPlan: z.string().max(128),
    }),
    VetReport,
  ),
  /** How far the check of a server is; null where none is under way. */
  'vet.progress': request(Subject, VetProgress.nullable()),
  'vet.cancel': command(Subject),
  /** The reports that are kept of a server, the newest first: one for each version, five at most. */
  'vet.reports': request(Subject, z.array(VetReport)),
}
