import * as z from 'zod'

import { WorkingFolder } from '../../domain/installation/installation'
import { SecretPlaces } from '../../domain/installation/secret-place'
import { FieldValues } from '../../domain/server-json/field-values'
import { VetProgress, VetReport } from '../../domain/vet/vet-report'
import { command, EntryId, EntryRef, request, ServerRef } from './refs'

const Options = z.object({
  /** Calls read-only tools with invalid arguments. */
  callReadOnly: z.boolean().default(false),
  /** Queries the package registry for known vulnerabilities. */
  advisories: z.boolean().default(false),
  /** Time limit of one check, in ms. */
  checkMs: z.number().int().min(1_000).max(600_000).optional(),
})

/** A server, or a catalog entry that need not be installed. */
const Subject = z.union([ServerRef, z.object({ entryId: EntryId })])

/** Requests on checks of servers and their reports. */
export const vetRequests = {
  /**
   * Checks a server in processes of its own, and responds when done; the report is stored. Rejects with NOT_FOUND, CONSENT_REQUIRED,
   * INVALID_REQUEST during another check of it, or REQUEST_CANCELLED.
   */
  'vet.run': request(ServerRef.extend(Options.shape), VetReport),
  /**
   * Installs an entry, checks it like `vet.run`, and removes it again. `approvedPlan` is the hash of the approved preview. Rejects like
   * `installation.create` and `vet.run`.
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
  /** Progress of a server's check; null if none is running. */
  'vet.progress': request(Subject, VetProgress.nullable()),
  'vet.cancel': command(Subject),
  /** Returns the stored reports of a server, newest first: one for each version, at most five. */
  'vet.reports': request(Subject, z.array(VetReport)),
}
