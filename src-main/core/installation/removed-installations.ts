import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretKeeper } from '../ports'
import { namesOf } from '../secrets/secret-keys'
import { isSameName, uniqueName } from './draft'
import { changeSecrets } from './secrets/change-secrets'
import type { StoredSecrets } from './secrets/stored-secrets'
import { aliasFor } from './store/alias'
import type { ProfileDocument } from './store/profile-document'
import { keptNamesOf, type RemovedInstallation } from './store/read-entries'
import type { UnappliedChanges } from './store/store-change'

type RemovedParts = {
  readonly store: ProfileDocument
  readonly secrets: SecretKeeper
  readonly stored: StoredSecrets
  readonly changes: Pick<UnappliedChanges, 'applied'>
}

/** Removed installations that can still be put back, with all their data. */
export class RemovedInstallations {
  constructor(private readonly parts: RemovedParts) {}

  get list(): readonly RemovedInstallation[] {
    return this.parts.store.removed
  }

  find(installationId: string): Installation | undefined {
    return this.#find(installationId)?.installation
  }

  /**
   * Removes an installation from the list. Its own secrets are deleted later, or become shared ones now, which it uses if it is put back.
   * Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and leaves it in the list.
   */
  async markRemoved(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { store, stored } = this.parts
    await store.mutex(async () => {
      const installation = store.read(installationId)
      if (deleteSecrets) store.markRemoved(installation)
      else await stored.keepOf(installation, (...kept) => store.markRemoved(...kept))
    })
  }

  /**
   * Deletes an installation, in the list or removed. Its own secrets are deleted, too, or become shared ones. Rejects with NOT_FOUND,
   * SECRET_STORE_FAILED or SETTINGS_UNWRITABLE and changes nothing.
   */
  async remove(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { store, stored, secrets, changes } = this.parts
    await store.mutex(async () => {
      const installation = this.find(installationId) ?? store.read(installationId)
      if (deleteSecrets) {
        const deletions = new Map(this.#namesOf(installation).map((name) => [name, null]))
        await changeSecrets(store, secrets, deletions, () => store.remove(installationId))
      } else await stored.keepOf(installation, (_user, kept) => store.remove(installationId, kept))
      changes.applied(installationId)
    })
  }

  /** Puts an installation back; numbers its name and alias if others use them now. Rejects with NOT_FOUND or SETTINGS_UNWRITABLE. */
  async restore(installationId: string): Promise<void> {
    const { store } = this.parts
    await store.mutex(() => {
      const removed = this.#find(installationId)
      if (!removed) throw goneError()
      const { installation: found, place } = removed
      const { installations } = store
      const name = uniqueName(found.name, installations)
      const isTaken = installations.some(({ alias }) => isSameName(alias, found.alias))
      const alias = isTaken ? aliasFor({ ...found, name }, installations) : found.alias
      store.restore({ ...found, name, alias }, place)
    })
  }

  /** Returns the keys of its own secrets, and of those that only its earlier versions have. */
  #namesOf(installation: Installation): string[] {
    const earlier = this.parts.store.rawEarlierOf(installation.installationId)
    return [...namesOf(installation, 'own').values(), ...earlier.flatMap(keptNamesOf)]
  }

  #find(installationId: string): RemovedInstallation | undefined {
    return this.list.find((one) => one.installation.installationId === installationId)
  }
}

/** Returns the error for something that was deleted meanwhile. */
export function goneError(): AppError {
  return new AppError(
    'NOT_FOUND',
    'The removal can no longer be undone because the server was deleted.',
    { hint: 'Add the server again from the catalog.' },
  )
}
