import * as z from 'zod'

import { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import { Installation } from '../../../../src-shared/domain/installation/installation'
import {
  OWN_PLACE,
  type SecretPlace,
} from '../../../../src-shared/domain/installation/secret-place'
import { findOffer, type OfferRef } from '../../../../src-shared/domain/server-json/offer'
import type { ServerJson } from '../../../../src-shared/domain/server-json/server-json'

const NO_OFFER = { path: ['offer'], message: 'There is no such package or remote' }

/** An installation as the settings file holds it. Everything that shows or starts it counts on its package. */
export const KeptInstallation = z.preprocess(
  (raw) => withPlaces(withOffer(raw)),
  Installation.refine(hasOffer, NO_OFFER),
)

/** An earlier version as the settings file holds it. */
export const KeptVersion = z.preprocess(withPlaces, EarlierVersion.refine(hasOffer, NO_OFFER))

/** Where the secrets of an entry are, whatever else of it can be read. */
export const SecretsOfEntry = z.preprocess(
  withPlaces,
  Installation.pick({ installationId: true, secrets: true }),
)

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

const Lists = z.looseObject({
  secretKeys: z.array(z.string()),
  sharedSecrets: z.record(z.string(), z.string()).default({}),
  keptSecrets: z.array(z.string()).default([]),
  versionKey: z.string().default(''),
})

/** Lists named the fields of own, of stored and of kept secrets once; of a field in several, the last one counted. */
function withPlaces(raw: unknown): unknown {
  const old = Lists.safeParse(raw)
  if (!old.success || 'secrets' in old.data) return raw
  const { secretKeys, sharedSecrets, keptSecrets, ...rest } = old.data
  const kept: SecretPlace = { kind: 'kept', versionKey: rest.versionKey }
  const secrets: [string, SecretPlace][] = [
    ...secretKeys.map((key): [string, SecretPlace] => [key, OWN_PLACE]),
    ...keptSecrets.map((key): [string, SecretPlace] => [key, kept]),
    ...Object.entries(sharedSecrets).map(([key, secretId]): [string, SecretPlace] => [
      key,
      { kind: 'stored', secretId },
    ]),
  ]
  return { ...rest, secrets: Object.fromEntries(secrets) }
}
