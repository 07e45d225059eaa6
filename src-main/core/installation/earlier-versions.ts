import { randomUUID } from 'node:crypto'

import { AppError } from '../../../src-shared/domain/app-error'
import { EarlierVersion } from '../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import {
  isChosen,
  ownPlaceFor,
  placeAt,
  placesOfKind,
  type SecretPlace,
  valueCount,
} from '../../../src-shared/domain/installation/secret-place'
import { findOffer } from '../../../src-shared/domain/server-json/offer'
import { carryOver } from '../../../src-shared/form/carry-over'
import { splitSecretList } from '../../../src-shared/form/secret-list'
import type { SecretKeeper } from '../ports'
import { namesOf, readSecrets, secretName } from '../secrets/secret-keys'
import { changeSecrets, deleteUnwanted } from './secrets/change-secrets'
import { movedSecrets, type SecretMove } from './secrets/move-secrets'
import type { ProfileDocument } from './store/profile-document'
import { keptNamesOf } from './store/read-entries'

/** Maximum characters per installation in the settings file, which is written as a whole. */
const MAX_CHARACTERS = 1_000_000

/** Returns what an earlier version restores, including the absence of a folder; secrets are handled separately. */
function restoredFields(version: EarlierVersion): Partial<Installation> {
  const { source, sourceId, server, offer, proposed, values, budgets, cwd, approvedPlan } = version
  return { source, sourceId, server, offer, proposed, values, budgets, cwd, approvedPlan }
}

/** Whether an older version is redundant: the same version as the last one, without additional secrets. */
function isDouble(older: EarlierVersion, last: EarlierVersion): boolean {
  const textOf = ({ server, offer }: EarlierVersion): string => JSON.stringify([server, offer])
  const keptKeys = Object.keys(placesOfKind(older.secrets, 'kept'))
  return keptKeys.every((key) => Object.hasOwn(last.secrets, key)) && textOf(older) === textOf(last)
}

/** A move to another version. */
export type VersionChange = {
  readonly before: Installation
  readonly change: Partial<Installation>
  readonly move: SecretMove
  /** The earlier version that is restored. */
  readonly restoredVersion?: EarlierVersion
}

/** Earlier versions of installations, kept so that updates can be undone. */
export class EarlierVersions {
  constructor(
    private readonly store: ProfileDocument,
    private readonly secrets: SecretKeeper,
  ) {}

  /** Returns the earlier versions of an installation, newest first. */
  of(installationId: string): readonly EarlierVersion[] {
    return this.store.earlier.filter((one) => one.installationId === installationId)
  }

  /** Throws NOT_FOUND. */
  find(installationId: string, versionKey: string): EarlierVersion {
    const found = this.of(installationId).find((one) => one.versionKey === versionKey)
    if (found) return found
    throw new AppError('NOT_FOUND', 'This earlier version is no longer stored.', {
      hint: 'Another window may have restored it, or newer versions replaced it.',
    })
  }

  /** Returns the values of secrets that only earlier versions have. Rejects with SECRET_STORE_FAILED. */
  async secretsOf(installationId: string): Promise<string[]> {
    const values: string[] = []
    for (const version of this.of(installationId))
      for (const text of (await readSecrets(this.secrets, version, 'kept')).values())
        values.push(...splitSecretList(text))
    return values
  }

  /**
   * Moves an installation to another version and keeps the previous one; resolves to that, or to undefined if it isn't kept. Call within
   * the store's mutex. Rejects with SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and changes nothing.
   */
  async replace({
    before,
    change,
    move,
    restoredVersion,
  }: VersionChange): Promise<EarlierVersion | undefined> {
    const { installationId } = before
    const changes = await movedSecrets(this.secrets, before, move)
    const keptSecrets = new Map<string, string>()
    const replaced = await this.#archive(before, move, keptSecrets)
    const old = this.of(installationId)
    const otherVersions = old.filter(
      (one) => one !== restoredVersion && !(replaced && isDouble(one, replaced)),
    )
    const retained = this.#bounded([...(replaced ? [replaced] : []), ...otherVersions])
    const deletions = unkept(old.filter((one) => !retained.includes(one)))
    await changeSecrets(
      this.store,
      this.secrets,
      new Map([...deletions, ...changes, ...keptSecrets]),
      () => {
        // Keeps changes that were made while the keychain was busy.
        const { secrets } = move
        const next = { ...(this.store.find(installationId) ?? before), ...change, secrets }
        const others = this.store.earlier.filter((one) => one.installationId !== installationId)
        this.store.saveVersion(next, [...retained, ...others], restoredVersion !== undefined)
      },
    )
    return replaced
  }

  /** Restores an earlier version with its values and approval; otherwise like `replace`. */
  async rollBack(before: Installation, to: EarlierVersion): Promise<EarlierVersion | undefined> {
    const found = findSecrets(to, before, this.of(before.installationId))
    const secrets = Object.fromEntries(
      Object.entries(to.secrets).map(([key, stored]) => {
        const place = found.get(key)?.place ?? stored
        // A missing secret keeps its place, so that the next start requests it.
        return [key, isChosen(place) ? place : ownPlaceFor(valueCount(place))]
      }),
    )
    const sources = new Map([...found].map(([key, { name }]) => [key, name]))
    const move = { secrets, sources, typed: new Map<string, string>() }
    return this.replace({ before, change: restoredFields(to), move, restoredVersion: to })
  }

  /** Drops versions above the limit, and deletes unreferenced secrets. Never rejects. */
  async tidy(): Promise<void> {
    await this.store.mutex(async () => {
      const ids = [...new Set(this.store.earlier.map(({ installationId }) => installationId))]
      const retained = ids.flatMap((id) => this.#bounded(this.of(id)))
      const dropped = this.store.earlier.filter((one) => !retained.includes(one))
      try {
        if (dropped.length > 0)
          await changeSecrets(this.store, this.secrets, unkept(dropped), () =>
            this.store.saveEarlier(retained),
          )
        else await deleteUnwanted(this.store, this.secrets)
      } catch {
        // Versions above the limit stay until the next time.
      }
    })
  }

  /** Builds the earlier version, and adds its own secrets without a new place to those to set; undefined if it isn't kept. */
  async #archive(
    before: Installation,
    { sources }: SecretMove,
    sets: Map<string, string>,
  ): Promise<EarlierVersion | undefined> {
    // Custom servers have no versions.
    if (before.source === 'hand') return undefined
    const versionKey = randomUUID()
    const archived = EarlierVersion.parse({ ...before, versionKey, replacedAt: Date.now() })
    const kept: SecretPlace = { kind: 'kept', versionKey }
    const keptAt = (key: string): SecretPlace => {
      const count = valueCount(placeAt(before.secrets, key))
      return count > 1 ? { ...kept, count } : kept
    }
    const keptOf = (keys: readonly string[]): EarlierVersion => ({
      ...archived,
      secrets: {
        ...archived.secrets,
        ...Object.fromEntries(keys.map((key) => [key, keptAt(key)])),
      },
    })
    const retainedNames = new Set(sources.values())
    const dropped = [...namesOf(before, 'own')].filter(([, name]) => !retainedNames.has(name))
    if (this.#bounded([keptOf(dropped.map(([key]) => key))]).length === 0) return undefined
    const archivedKeys: string[] = []
    for (const [key, name] of dropped) {
      const value = await this.secrets.get(name)
      if (value === null) continue
      sets.set(secretName(before.installationId, key, kept), value)
      archivedKeys.push(key)
    }
    return keptOf(archivedKeys)
  }

  /** Returns the versions of one installation that stay, newest first: up to the limits of number and size. */
  #bounded(versions: readonly EarlierVersion[]): readonly EarlierVersion[] {
    const retained: EarlierVersion[] = []
    let room = MAX_CHARACTERS
    for (const version of versions.slice(0, this.store.settings.versionsKept)) {
      room -= JSON.stringify(version).length
      if (room < 0) break
      retained.push(version)
    }
    return retained
  }
}

/** Returns the secrets of dropped versions, to be deleted. */
function unkept(versions: readonly EarlierVersion[]): Map<string, null> {
  return new Map(versions.flatMap(keptNamesOf).map((name) => [name, null]))
}

/** The place of a field's secret, and its key in the secret store. */
type FoundSecret = { readonly place: SecretPlace; readonly name: string }

/** A version whose secrets may belong to another one. */
type Holder = Pick<Installation, 'installationId' | 'server' | 'offer' | 'secrets'>

/**
 * Finds the current places of an earlier version's secrets by field: in the present version, then in earlier ones, newest first. Omits
 * missing ones.
 */
function findSecrets(
  target: EarlierVersion,
  present: Installation,
  /** The installation's earlier versions, newest first. */
  earlier: readonly EarlierVersion[],
): Map<string, FoundSecret> {
  const found = new Map<string, FoundSecret>()
  for (const holder of [present, ...earlier.slice(0, earlier.indexOf(target) + 1)]) {
    for (const { from, to } of movesBetween(holder, target)) {
      const place = placeAt(holder.secrets, from)
      // An earlier version's own secrets were moved along.
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
