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

/** Most characters that the earlier versions of one installation take in the settings file, which is written whole. */
const MOST_CHARACTERS = 1_000_000

/** What an installation gets back of an earlier version, also that it had no folder; where its secrets are is another matter. */
function broughtBack(version: EarlierVersion): Partial<Installation> {
  const { source, sourceId, server, offer, proposed, values, budgets, cwd, approvedPlan } = version
  return { source, sourceId, server, offer, proposed, values, budgets, cwd, approvedPlan }
}

/** Whether an older one says no more than the one that was left last: it is the same version, and has no secret that this has not. */
function isDouble(older: EarlierVersion, last: EarlierVersion): boolean {
  const textOf = ({ server, offer }: EarlierVersion): string => JSON.stringify([server, offer])
  const kept = Object.keys(placesOfKind(older.secrets, 'kept'))
  return kept.every((key) => Object.hasOwn(last.secrets, key)) && textOf(older) === textOf(last)
}

/** A move to another version. */
export type VersionChange = {
  readonly before: Installation
  readonly change: Partial<Installation>
  readonly move: SecretMove
  /** The earlier version that it is. */
  readonly backTo?: EarlierVersion
}

/**
 * What installations were before their updates, so that these can be taken back.
 */
export class EarlierVersions {
  constructor(
    private readonly store: ProfileDocument,
    private readonly secrets: SecretKeeper,
  ) {}

  /** Those of an installation, the last one first. */
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

  /** The values of secrets that earlier versions alone have. Rejects with SECRET_STORE_FAILED. */
  async secretsOf(installationId: string): Promise<string[]> {
    const values: string[] = []
    for (const version of this.of(installationId))
      for (const text of (await readSecrets(this.secrets, version, 'kept')).values())
        values.push(...splitSecretList(text))
    return values
  }

  /**
   * Moves an installation to another version and keeps what it was; resolves to that, or to undefined where it is not
   * kept. To be called within the store's mutex. Rejects with SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; all is as it was then.
   */
  async replace({
    before,
    change,
    move,
    backTo,
  }: VersionChange): Promise<EarlierVersion | undefined> {
    const { installationId } = before
    const changes = await movedSecrets(this.secrets, before, move)
    const kept = new Map<string, string>()
    const left = await this.#leave(before, move, kept)
    const old = this.of(installationId)
    const others = old.filter((one) => one !== backTo && !(left && isDouble(one, left)))
    const stay = this.#bounded([...(left ? [left] : []), ...others])
    const gone = unkept(old.filter((one) => !stay.includes(one)))
    await changeSecrets(this.store, this.secrets, new Map([...gone, ...changes, ...kept]), () => {
      // What was switched on while the keychain was asked stays so.
      const { secrets } = move
      const now = { ...(this.store.find(installationId) ?? before), ...change, secrets }
      const others = this.store.earlier.filter((one) => one.installationId !== installationId)
      this.store.saveVersion(now, [...stay, ...others], backTo !== undefined)
    })
    return left
  }

  /** Brings an earlier version back, with its values and what was approved; else as `replace`. */
  async goBack(before: Installation, to: EarlierVersion): Promise<EarlierVersion | undefined> {
    const found = findSecrets(to, before, this.of(before.installationId))
    const secrets = Object.fromEntries(
      Object.entries(to.secrets).map(([key, then]) => {
        const place = found.get(key)?.place ?? then
        // One that is nowhere stays named, so that the next start asks for it.
        return [key, isChosen(place) ? place : ownPlaceFor(valueCount(place))]
      }),
    )
    const sources = new Map([...found].map(([key, { name }]) => [key, name]))
    const move = { secrets, sources, typed: new Map<string, string>() }
    return this.replace({ before, change: broughtBack(to), move, backTo: to })
  }

  /** Lets go of what is more than shall be kept, and deletes secrets that nothing refers to any more. Never rejects. */
  async tidy(): Promise<void> {
    await this.store.mutex(async () => {
      const ids = [...new Set(this.store.earlier.map(({ installationId }) => installationId))]
      const stay = ids.flatMap((id) => this.#bounded(this.of(id)))
      const fall = this.store.earlier.filter((one) => !stay.includes(one))
      try {
        if (fall.length > 0)
          await changeSecrets(this.store, this.secrets, unkept(fall), () =>
            this.store.saveEarlier(stay),
          )
        else await deleteUnwanted(this.store, this.secrets)
      } catch {
        // What is more than shall be kept stays until the next time.
      }
    })
  }

  /** What is left behind, with its own secrets that have no place in what comes among those to set; undefined where it is not kept. */
  async #leave(
    before: Installation,
    { sources }: SecretMove,
    sets: Map<string, string>,
  ): Promise<EarlierVersion | undefined> {
    // What was written manually has no versions.
    if (before.source === 'hand') return undefined
    const versionKey = randomUUID()
    const left = EarlierVersion.parse({ ...before, versionKey, replacedAt: Date.now() })
    const kept: SecretPlace = { kind: 'kept', versionKey }
    const keptAt = (key: string): SecretPlace => {
      const count = valueCount(placeAt(before.secrets, key))
      return count > 1 ? { ...kept, count } : kept
    }
    const keptOf = (keys: readonly string[]): EarlierVersion => ({
      ...left,
      secrets: { ...left.secrets, ...Object.fromEntries(keys.map((key) => [key, keptAt(key)])) },
    })
    const stays = new Set(sources.values())
    const dropped = [...namesOf(before, 'own')].filter(([, name]) => !stays.has(name))
    if (this.#bounded([keptOf(dropped.map(([key]) => key))]).length === 0) return undefined
    const found: string[] = []
    for (const [key, name] of dropped) {
      const value = await this.secrets.get(name)
      if (value === null) continue
      sets.set(secretName(before.installationId, key, kept), value)
      found.push(key)
    }
    return keptOf(found)
  }

  /** Those of one installation that stay, newest first: as many as are wanted and as fit. */
  #bounded(versions: readonly EarlierVersion[]): readonly EarlierVersion[] {
    const stay: EarlierVersion[] = []
    let room = MOST_CHARACTERS
    for (const version of versions.slice(0, this.store.settings.versionsKept)) {
      room -= JSON.stringify(version).length
      if (room < 0) break
      stay.push(version)
    }
    return stay
  }
}

/** The secrets of versions that are kept no more, to be deleted. */
function unkept(versions: readonly EarlierVersion[]): Map<string, null> {
  return new Map(versions.flatMap(keptNamesOf).map((name) => [name, null]))
}

/** Where the secret of a field is, and under which key of the secret store. */
type FoundSecret = { readonly place: SecretPlace; readonly name: string }

/** A version whose secrets may be those of another. */
type Holder = Pick<Installation, 'installationId' | 'server' | 'offer' | 'secrets'>

/**
 * Where the secrets of an earlier version are now, by its fields: what is in use at present counts, then what was
 * left behind last. What is nowhere is left out.
 */
function findSecrets(
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
