import { randomUUID } from 'node:crypto'

import { AppError } from '../../../../src-shared/domain/app-error'
import type { EarlierVersion } from '../../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../../src-shared/domain/installation/installation'
import {
  OWN_PLACE,
  ownPlaceFor,
  placeAt,
  type SecretPlace,
  valueCount,
} from '../../../../src-shared/domain/installation/secret-place'
import type { StoredSecret } from '../../../../src-shared/domain/installation/stored-secret'
import type { SecretKeeper } from '../../ports'
import { secretLabels, usersOf } from '../../secrets/secret-directory'
import { namesOf, type SecretHolder, secretName, storedName } from '../../secrets/secret-keys'
import { isSameName, uniqueName } from '../draft'
import type { ProfileDocument } from '../store/profile-document'
import type { UnappliedChanges } from '../store/store-change'
import { changeSecrets, type SecretChanges } from './change-secrets'

/** Maximum length of "field of server"; leaves room for a number. */
const MAX_NAME_LENGTH = 110

/** Creates a shared secret with a new id and the current time. */
function newSecret(name: string): StoredSecret {
  const now = Date.now()
  return { secretId: randomUUID(), name, createdAt: now, changedAt: now }
}

/** Secrets that several servers can use: names in the settings file, values in the secret store. */
export class StoredSecrets {
  constructor(
    private readonly store: ProfileDocument,
    private readonly secrets: SecretKeeper,
    private readonly changes: UnappliedChanges,
  ) {}

  get list(): readonly StoredSecret[] {
    return this.store.secrets
  }

  /** Rejects with NAME_TAKEN, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and stores nothing. */
  create(name: string, value: string): Promise<StoredSecret> {
    return this.store.mutex(async () => {
      const secret = this.#newSecret(name)
      await this.#change(new Map([[storedName(secret.secretId), value]]), () =>
        this.store.saveSecrets([...this.store.secrets, secret]),
      )
      return secret
    })
  }

  /** Rejects with NOT_FOUND, NAME_TAKEN or SETTINGS_UNWRITABLE. */
  rename(secretId: string, name: string): Promise<void> {
    return this.store.mutex(() => {
      const secret = this.#read(secretId)
      this.#checkName(name, secretId)
      this.#replace({ ...secret, name })
    })
  }

  /**
   * Replaces the value of a shared secret; resolves to the ids of its servers, which get it at their next start. Rejects with NOT_FOUND,
   * SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and keeps the old value.
   */
  rotate(secretId: string, value: string): Promise<string[]> {
    return this.store.mutex(async () => {
      const { name } = this.#read(secretId)
      await this.#change(new Map([[storedName(secretId), value]]), () =>
        this.#replace({ ...this.#read(secretId), changedAt: Date.now() }),
      )
      const users = usersOf(secretId, this.store.installations).map((user) => user.installationId)
      for (const user of users)
        this.changes.note(user, `The shared secret “${name}” has a new value.`)
      return users
    })
  }

  /**
   * Deletes a shared secret. Fields that use it keep the reference, and their servers don't start until that is fixed. Rejects with
   * NOT_FOUND, SECRET_IN_USE (unless `evenIfUsed`), SECRET_STORE_FAILED or SETTINGS_UNWRITABLE.
   */
  remove(secretId: string, evenIfUsed: boolean): Promise<void> {
    return this.store.mutex(async () => {
      const { name } = this.#read(secretId)
      const users = usersOf(secretId, this.store.installations)
      if (users.length > 0 && !evenIfUsed) throw inUseError(name, users)
      await this.#change(new Map([[storedName(secretId), null]]), () =>
        this.store.saveSecrets(this.store.secrets.filter((one) => one.secretId !== secretId)),
      )
    })
  }

  /**
   * Converts a server's own secret to a shared one, which the server then uses. Rejects with NOT_FOUND, NAME_TAKEN, SECRET_MISSING,
   * SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and changes nothing.
   */
  share(installationId: string, fieldKey: string, name: string): Promise<StoredSecret> {
    return this.store.mutex(async () => {
      this.#readOwner(installationId, fieldKey)
      const secret = this.#newSecret(name)
      const old = secretName(installationId, fieldKey, OWN_PLACE)
      const value = await this.secrets.get(old)
      if (value === null)
        throw new AppError('SECRET_MISSING', 'The saved value is no longer in the keychain.', {
          hint: 'Enter it again in the server’s form.',
        })
      const moves = new Map([
        [storedName(secret.secretId), value],
        [old, null],
      ])
      await this.#change(moves, () => {
        const owner = this.#readOwner(installationId, fieldKey)
        const place = storedPlace(secret.secretId, valueCount(placeAt(owner.secrets, fieldKey)))
        const secrets = { ...owner.secrets, [fieldKey]: place }
        this.store.save({ ...owner, secrets }, [...this.store.secrets, secret])
      })
      return secret
    })
  }

  /**
   * Converts the own secrets of a removed installation, and those that only its earlier versions have, to shared ones, so that they stay
   * visible. `commit` gets the installation that uses them, all shared secrets, and all earlier versions. Call within the store's mutex.
   * Rejects with SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and changes nothing.
   */
  async keepOf(
    installation: Installation,
    commit: (
      user: Installation,
      kept: readonly StoredSecret[],
      earlier: readonly EarlierVersion[],
    ) => void,
  ): Promise<void> {
    const moves = new Map<string, string | null>()
    let kept = this.store.secrets
    const share = async (old: string, label: string, count: number): Promise<SecretPlace> => {
      const value = await this.secrets.get(old)
      // A missing secret keeps its place, so that the next start requests it.
      if (value === null) return ownPlaceFor(count)
      const secret = newSecret(
        uniqueName(`${installation.name}: ${label}`.slice(0, MAX_NAME_LENGTH), kept),
      )
      kept = [...kept, secret]
      moves.set(storedName(secret.secretId), value).set(old, null)
      return storedPlace(secret.secretId, count)
    }
    const user = await withShared(installation, 'own', share)
    const earlier: EarlierVersion[] = []
    for (const version of this.store.earlier) {
      const isOwn = version.installationId === installation.installationId
      earlier.push(isOwn ? await withShared(version, 'kept', share) : version)
    }
    await this.#change(moves, () => commit(user, kept, earlier))
  }

  /** Returns the ids of shared secrets without a value in the current store. Rejects with SECRET_STORE_FAILED. */
  async findEmpty(): Promise<string[]> {
    const emptyIds: string[] = []
    for (const { secretId } of this.store.secrets) {
      if ((await this.secrets.get(storedName(secretId))) === null) emptyIds.push(secretId)
    }
    return emptyIds
  }

  #change(changes: SecretChanges, save: () => void): Promise<void> {
    return changeSecrets(this.store, this.secrets, changes, save)
  }

  #read(secretId: string): StoredSecret {
    const found = this.store.secrets.find((one) => one.secretId === secretId)
    if (found) return found
    throw new AppError('NOT_FOUND', 'This shared secret is no longer in the list.', {
      hint: 'Another window may have removed it.',
    })
  }

  #readOwner(installationId: string, fieldKey: string): Installation {
    const owner = this.store.find(installationId)
    if (owner && namesOf(owner, 'own').has(fieldKey)) return owner
    throw new AppError('NOT_FOUND', 'This server no longer has its own secret in this field.', {
      hint: 'Another window may have changed or removed it.',
    })
  }

  #newSecret(name: string): StoredSecret {
    this.#checkName(name)
    return newSecret(name)
  }

  #checkName(name: string, exceptId?: string): void {
    const otherSecrets = this.store.secrets.filter(({ secretId }) => secretId !== exceptId)
    if (!otherSecrets.some((one) => isSameName(one.name, name))) return
    throw new AppError('NAME_TAKEN', `A shared secret named ${name} already exists.`, {
      hint: 'Choose another name.',
    })
  }

  #replace(secret: StoredSecret): void {
    this.store.saveSecrets(
      this.store.secrets.map((one) => (one.secretId === secret.secretId ? secret : one)),
    )
  }
}

/** Returns `holder` with each of its own secrets at the place that `share` returns. */
async function withShared<T extends SecretHolder & Pick<Installation, 'server' | 'offer'>>(
  holder: T,
  kind: 'own' | 'kept',
  share: (name: string, label: string, count: number) => Promise<SecretPlace>,
): Promise<T> {
  const labelOf = secretLabels(holder)
  const version = kind === 'kept' ? ` (${holder.server.version})` : ''
  const secrets = { ...holder.secrets }
  for (const [key, name] of namesOf(holder, kind))
    secrets[key] = await share(name, `${labelOf(key)}${version}`, valueCount(placeAt(secrets, key)))
  return { ...holder, secrets }
}

function storedPlace(secretId: string, count: number): SecretPlace {
  return { kind: 'stored', secretId, ...(count > 1 && { count }) }
}

function inUseError(name: string, users: readonly Installation[]): AppError {
  const names = users.map((user) => user.name).join(', ')
  return new AppError('SECRET_IN_USE', `Not removed: “${name}” is used by ${names}.`, {
    hint: 'Choose another secret for these servers, or confirm the removal.',
  })
}
