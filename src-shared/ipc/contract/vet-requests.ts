import * as z from 'zod'

import { VetGroup, VetReport } from '../../domain/vet/vet-report'
import type { RequestChannel } from '../channels'
import type { Shapes } from './refs'
import { ServerRef } from './refs'

/** Checks of servers, and their reports. */
export const vetRequests = {
  /**
   * Checks a server in processes of its own, and answers when that is done; the report is kept. Rejects with NOT_FOUND,
   * CONSENT_REQUIRED, INVALID_REQUEST while it is checked already, or REQUEST_CANCELLED.
   */
  'vet.run': {
    input: ServerRef.extend({
      /** Calls read-only tools with invalid arguments. */
      callReadOnly: z.boolean().default(false),
      /** Asks the package registry for known vulnerabilities. */
      advisories: z.boolean().default(false),
      /** Longest time of one check, in ms. */
      checkMs: z.number().int().min(1_000).max(600_000).optional(),
    }),
    output: VetReport,
  },
  /** How far the check of a server is; null where none is under way. */
  'vet.progress': {
    input: ServerRef,
    output: z
      .object({
        done: z.number().int().nonnegative(),
        of: z.number().int().positive(),
        group: VetGroup,
      })
      .nullable(),
  },
  'vet.cancel': { input: ServerRef, output: z.void() },
  /** The reports that are kept of a server, the newest first: one for each version, five at most. */
  'vet.reports': { input: ServerRef, output: z.array(VetReport) },
} satisfies Partial<Record<RequestChannel, Shapes>>
