import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { placeAt, type SecretPlace } from '../../../../src-shared/domain/installation/secret-place'
import { findOffer } from '../../../../src-shared/domain/server-json/offer'
import { carryOver } from '../../../../src-shared/form/carry-over'
import { secretName } from '../../secrets/secret-keys'

/** Where the secret of a field is, and under which key of the secret store. */
export type FoundSecret = { readonly place: SecretPlace; readonly name: string }

/** A version whose secrets may be those of another. */
type Holder = Pick<Installation, 'installationId' | 'server' | 'offer' | 'secrets'>

/**
 * Where the secrets of an earlier version are now, by its fields: what is in use at present counts, then what was
 * left behind last. What is nowhere is left out.
 */
export function findSecrets(
  target: EarlierVersion,
  present: Installation,
  /** Those of the installation, the last one first. */
  earlier: readonly EarlierVersion[],
): Map<string, FoundSecret> {
  const found = new Map<string, FoundSecret>()
  for (const holder of [present, ...earlier.slice(0, earlier.indexOf(target) + 1)]) {
    for (const { from, to } of movesBetween(holder, target)) {
      const place = placeAt(holder.secrets, from)
      // What an earlier version had for itself went along.
      const isThere = place && (holder === present || place.kind !== 'own')
      if (isThere && !found.has(to) && Object.hasOwn(target.secrets, to))
        found.set(to, { place, name: secretName(holder.installationId, from, place) })
    }
  }
  return found
}

function movesBetween(
  from: Holder,
  to: Holder,
): readonly { readonly from: string; readonly to: string }[] {
  const [before, after] = [from, to].map(({ server, offer }) => findOffer(server, offer))
  if (!before || !after) return []
  return carryOver(before, after, { values: {}, secrets: from.secrets }).secrets
}
