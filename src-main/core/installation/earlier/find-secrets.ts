import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import { findOffer } from '../../../../src-shared/domain/server-json/offer'
import { carryOver } from '../../../../src-shared/form/carry-over'
import { heldKeys, keptName, ownKeys, secretName } from '../../secrets/secret-keys'

/** Where the secret of a field is: at a key of the secret store, or it is a stored one. */
export type FoundSecret = { readonly name: string } | { readonly secretId: string }

/** A version whose secrets may be those of another. */
type Holder = Pick<Installation, 'server' | 'offer' | 'secretKeys' | 'sharedSecrets'> & {
  /** Undefined where its value is not there. */
  readonly ownOf: (fieldKey: string) => string | undefined
}

/**
 * Where the secrets of an earlier version are now, by its fields: what is in use at present counts, then what was
 * left behind last. What is nowhere is left out.
 */
export function findSecrets(
  target: EarlierVersion,
  present: Installation,
  /** Those of the installation, the one that was replaced last first. */
  earlier: readonly EarlierVersion[],
): Map<string, FoundSecret> {
  const wanted = heldKeys(target)
  const found = new Map<string, FoundSecret>()
  const place = earlier.indexOf(target)
  for (const holder of [
    presentHolder(present),
    ...earlier.slice(0, place + 1).map(earlierHolder),
  ]) {
    for (const { from, to } of movesBetween(holder, target)) {
      if (found.has(to) || !wanted.includes(to)) continue
      const secret = secretAt(holder, from)
      if (secret) found.set(to, secret)
    }
  }
  return found
}

function presentHolder(present: Installation): Holder {
  const own = ownKeys(present)
  const { installationId } = present
  return {
    ...present,
    ownOf: (key) => (own.includes(key) ? secretName(installationId, key) : undefined),
  }
}

function earlierHolder(version: EarlierVersion): Holder {
  const { installationId, versionKey, keptSecrets } = version
  return {
    ...version,
    ownOf: (key) =>
      keptSecrets.includes(key) ? keptName(installationId, versionKey, key) : undefined,
  }
}

function movesBetween(
  from: Holder,
  to: EarlierVersion,
): readonly { readonly from: string; readonly to: string }[] {
  const [before, after] = [from, to].map(({ server, offer }) => findOffer(server, offer))
  if (!before || !after) return []
  return carryOver(before, after, { values: {}, secretKeys: heldKeys(from) }).secrets
}

function secretAt({ sharedSecrets, ownOf }: Holder, fieldKey: string): FoundSecret | undefined {
  const secretId = Object.hasOwn(sharedSecrets, fieldKey) ? sharedSecrets[fieldKey] : undefined
  if (secretId !== undefined) return { secretId }
  const name = ownOf(fieldKey)
  return name === undefined ? undefined : { name }
}
