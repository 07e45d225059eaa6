import * as z from 'zod'

import { InstallationId } from '../../domain/installation/installation'
import { OfferRef } from '../../domain/server-json/offer'

/** What a request takes and what its answer holds. */
export type Shapes = { readonly input: z.ZodType; readonly output: z.ZodType }

/** Names an installation. */
export const ServerRef = z.object({ installationId: InstallationId })

/** Names a catalog entry; an opaque text. */
export const EntryId = z.string().max(2_000)

/** One offer of a catalog entry. */
export const EntryRef = z.object({ entryId: EntryId, offer: OfferRef })
