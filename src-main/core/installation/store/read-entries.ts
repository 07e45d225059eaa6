import * as z from 'zod'

import { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import { Installation } from '../../../../src-shared/domain/installation/installation'
import { findOffer, type OfferRef } from '../../../../src-shared/domain/server-json/offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'

const NO_OFFER = { path: ['offer'], message: 'There is no such package or remote' }

/** An installation as the settings file holds it. Everything that shows or starts it counts on its package. */
export const KeptInstallation = z.preprocess(withOffer, Installation.refine(hasOffer, NO_OFFER))

/** An earlier version as the settings file holds it. */
export const KeptVersion = EarlierVersion.refine(hasOffer, NO_OFFER)

/** An installation that was removed and can still be taken back. */
export const RemovedInstallation = z.object({
  installation: KeptInstallation,
  /** How many stood before it in the list. */
  place: z.number().int().nonnegative(),
})
export type RemovedInstallation = z.infer<typeof RemovedInstallation>

/** Where a text of the settings file is not as it should be. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0]
  return issue ? `${issue.path.join('.')}: ${issue.message}` : 'The shape is not known'
}

function hasOffer({
  server,
  offer,
}: {
  readonly server: ServerJson
  readonly offer: OfferRef
}): boolean {
  return findOffer(server, offer) !== undefined
}

/** The first versions could hold packages only, and named one by its place. */
function withOffer(raw: unknown): unknown {
  const old = z.looseObject({ packageIndex: z.number() }).safeParse(raw)
  if (!old.success || 'offer' in old.data) return raw
  const { packageIndex, ...rest } = old.data
  return { ...rest, offer: { kind: 'package', index: packageIndex } }
}
