import { AppError } from '../../../../src-shared/domain/app-error'
import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import type { SecretStoreState } from '../../../../src-shared/domain/state/app-state'
import type { SecretBackend } from '../../ports'
import { heldKeys, keptName, ownKeys, secretName } from '../../secrets/secret-keys'
import { changeSecrets, type SecretChanges } from '../secrets/change-secrets'
import { keptNamesOf } from '../store/earlier-entries'
import type { ProfileDocument } from '../store/profile-document'
import { findSecrets, type FoundSecret } from './find-secrets'
import { bounded, broughtBack, isDouble, leftBehind } from './kept-versions'

/** Where secrets are kept; one that does not tell its state outlives the app. */
export type SecretPlace = SecretBackend & { readonly state?: SecretStoreState }

/** A move to another version. */
export type VersionChange = {
  readonly before: Installation
  readonly change: Partial<Installation>
  /** What the secret store shall hold of the installation then; null: no longer. */
  readonly changes: SecretChanges
  /** Fields of `before` whose own secret has no place in what comes. */
  readonly dropped: readonly string[]
  /** The earlier version that it is. */
  readonly backTo?: EarlierVersion
}

/**
 * What installations were before their updates, so that these can be taken back. The settings file is written before
 * secrets are deleted, and says which ones still have to be: whatever ends half-way, none is lost and none is forgotten.
 */
export class EarlierVersions {
  constructor(
    private readonly store: ProfileDocument,
    private readonly secrets: SecretPlace,
  ) {}

  /** Those of an installation, the one that was replaced last first. */
  of(installationId: string): readonly EarlierVersion[] {
    return this.store.earlier.filter((one) => one.installationId === installationId)
  }

  /** Throws NOT_FOUND. */
  find(installationId: string, versionKey: string): EarlierVersion {
    const found = this.of(installationId).find((one) => one.versionKey === versionKey)
    if (found) return found
    throw new AppError('NOT_FOUND', 'This earlier version is no longer kept.', {
      hint: 'It may have been gone back to in another window, or newer ones took its place.',
    })
  }

  /** The values of secrets that earlier versions alone have. Rejects with SECRET_STORE_FAILED. */
  async secretsOf(installationId: string): Promise<string[]> {
    const values: string[] = []
    for (const name of this.of(installationId).flatMap(keptNamesOf)) {
      const value = await this.secrets.get(name)
      if (value !== null) values.push(value)
    }
    return values
  }

  /**
   * Moves an installation to another version and keeps what it was; resolves to that, or to undefined where it is not
   * kept. To be called within the store's lane. Rejects with SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; all is as it was then.
   */
  async replace(move: VersionChange): Promise<EarlierVersion | undefined> {
    const { before, change, changes, backTo } = move
    const { installationId } = before
    const sets = new Map([...changes].filter(([, value]) => value !== null))
    const left = await this.#leave(move, sets)
    const old = this.of(installationId)
    const others = old.filter((one) => one !== backTo && !(left && isDouble(one, left)))
    const stay = this.#bounded([...(left ? [left] : []), ...others])
    const unwanted = [
      ...[...changes].flatMap(([name, value]) => (value === null ? [name] : [])),
      ...old.filter((one) => !stay.includes(one)).flatMap(keptNamesOf),
    ]
    await changeSecrets(this.secrets, sets, () => {
      // What was switched on while the keychain was asked stays so.
      const now = { ...(this.store.find(installationId) ?? before), ...change }
      this.store.saveVersion(
        now,
        this.#contents(installationId, stay, unwanted),
        backTo !== undefined,
      )
    })
    await this.sweep()
    return left
  }

  /** Brings an earlier version back, with its values and what was approved; else as `replace`. */
  async goBack(before: Installation, to: EarlierVersion): Promise<EarlierVersion | undefined> {
    const { installationId } = before
    const found = findSecrets(to, before, this.of(installationId))
    const sharedSecrets = sharedIn(to, found)
    // One that is nowhere stays named, so that the next start asks for it.
    const secretKeys = heldKeys(to).filter((key) => !Object.hasOwn(sharedSecrets, key))
    const changes = new Map<string, string | null>(
      before.secretKeys.map((key) => [secretName(installationId, key), null]),
    )
    for (const key of secretKeys) {
      const [name, wanted] = [nameAt(found, key), secretName(installationId, key)]
      const value = name === undefined || name === wanted ? null : await this.secrets.get(name)
      if (value !== null) changes.set(wanted, value)
      else if (name === wanted) changes.delete(wanted)
    }
    const used = new Set(secretKeys.map((key) => nameAt(found, key)))
    const dropped = ownKeys(before).filter((key) => !used.has(secretName(installationId, key)))
    const change = { ...broughtBack(to), secretKeys, sharedSecrets }
    return this.replace({ before, change, changes, dropped, backTo: to })
  }

  /** Lets go of what is more than shall be kept, and deletes secrets that nothing refers to any more. Never rejects. */
  async tidy(): Promise<void> {
    await this.store.lane(async () => {
      const ids = [...new Set(this.store.earlier.map(({ installationId }) => installationId))]
      const stay = ids.flatMap((id) => this.#bounded(this.of(id)))
      const fall = this.store.earlier.filter((one) => !stay.includes(one))
      if (fall.length > 0)
        this.#trySaving(stay, [...this.store.unwantedSecrets, ...fall.flatMap(keptNamesOf)])
      await this.sweep()
    })
  }

  /** Deletes secrets that nothing refers to any more; what fails is tried again later. To be called within the store's lane; never rejects. */
  async sweep(): Promise<void> {
    const { unwantedSecrets } = this.store
    if (unwantedSecrets.length === 0) return
    const wanted = this.#wantedNames()
    const left: string[] = []
    for (const name of unwantedSecrets) {
      // One that fails would fail for the others too, each after its own wait.
      const isGone = wanted.has(name) || (left.length === 0 && (await this.#delete(name)))
      if (!isGone) left.push(name)
    }
    // A run without a keychain does not reach them.
    if (this.secrets.state?.kind === 'memory') return
    if (left.length < unwantedSecrets.length) this.#trySaving(this.store.earlier, left)
  }

  /** What is left behind, its dropped secrets among those to set; undefined where it is not kept. */
  async #leave(
    { before, dropped }: VersionChange,
    sets: Map<string, string | null>,
  ): Promise<EarlierVersion | undefined> {
    const left = leftBehind(before, Date.now())
    // What was written by hand has no versions.
    if (before.source === 'hand') return undefined
    if (this.#bounded([{ ...left, keptSecrets: [...dropped] }]).length === 0) return undefined
    const keptSecrets: string[] = []
    for (const key of dropped) {
      const value = await this.secrets.get(secretName(before.installationId, key))
      if (value === null) continue
      sets.set(keptName(before.installationId, left.versionKey, key), value)
      keptSecrets.push(key)
    }
    return { ...left, keptSecrets }
  }

  #bounded(versions: readonly EarlierVersion[]): readonly EarlierVersion[] {
    return bounded(versions, this.store.settings.versionsKept)
  }

  #contents(
    installationId: string,
    stay: readonly EarlierVersion[],
    unwanted: readonly string[],
  ): { earlier: EarlierVersion[]; unwantedSecrets: string[] } {
    const others = this.store.earlier.filter((one) => one.installationId !== installationId)
    const unwantedSecrets = [...new Set([...this.store.unwantedSecrets, ...unwanted])]
    return { earlier: [...stay, ...others], unwantedSecrets }
  }

  /** A secret may have come to a key since it was to be deleted there. */
  #wantedNames(): Set<string> {
    const removed = this.store.removed.map(({ installation }) => installation)
    return new Set([
      ...[...this.store.installations, ...removed].flatMap(({ installationId, secretKeys }) =>
        secretKeys.map((key) => secretName(installationId, key)),
      ),
      ...this.store.earlier.flatMap(keptNamesOf),
    ])
  }

  async #delete(name: string): Promise<boolean> {
    try {
      await this.secrets.delete(name)
      return true
    } catch {
      return false // it stays on the list
    }
  }

  #trySaving(earlier: readonly EarlierVersion[], unwantedSecrets: readonly string[]): void {
    try {
      this.store.saveEarlier({ earlier, unwantedSecrets })
    } catch {
      // What is to be deleted stays on the list, and so does what is more than shall be kept.
    }
  }
}

/** The stored secrets that an earlier version uses now; one that is gone stays named too. */
function sharedIn(
  to: EarlierVersion,
  found: ReadonlyMap<string, FoundSecret>,
): Record<string, string> {
  const shared: [string, string][] = []
  for (const key of heldKeys(to)) {
    const secret = found.get(key)
    const own = Object.hasOwn(to.sharedSecrets, key) ? to.sharedSecrets[key] : undefined
    const secretId = secret ? ('secretId' in secret ? secret.secretId : undefined) : own
    if (secretId !== undefined) shared.push([key, secretId])
  }
  return Object.fromEntries(shared)
}

function nameAt(found: ReadonlyMap<string, FoundSecret>, fieldKey: string): string | undefined {
  const secret = found.get(fieldKey)
  return secret && 'name' in secret ? secret.name : undefined
}
