import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { SecretKeeper } from '../ports'
import { namesOf } from '../secrets/secret-keys'
import { freeName, isSameWord } from './draft'
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

/** The installations that were removed and can still be taken back: all that is theirs is still there. */
export class RemovedInstallations {
  constructor(private readonly parts: RemovedParts) {}

  get list(): readonly RemovedInstallation[] {
    return this.parts.store.removed
  }

  find(installationId: string): Installation | undefined {
    return this.#find(installationId)?.installation
  }

  /**
   * Takes an installation from the list. Its own secrets are deleted with it, or they become stored ones now,
   * which it uses if it is taken back. Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; it stays then.
   */
  async setAside(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { store, stored } = this.parts
    await store.mutex(async () => {
      const installation = store.read(installationId)
      if (deleteSecrets) store.setAside(installation)
      else await stored.keepOf(installation, (...kept) => store.setAside(...kept))
    })
  }

  /**
   * Deletes an installation, be it in the list or removed with an undo. Secrets that are its own are deleted with it, or become
   * stored ones. Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; all is as it was then.
   */
  async remove(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { store, stored, secrets, changes } = this.parts
    await store.mutex(async () => {
      const installation = this.find(installationId) ?? store.read(installationId)
      if (deleteSecrets) {
        const gone = new Map(this.#namesOf(installation).map((name) => [name, null]))
        await changeSecrets(store, secrets, gone, () => store.remove(installationId))
      } else await stored.keepOf(installation, (_user, kept) => store.remove(installationId, kept))
      changes.applied(installationId)
    })
  }

  /**
   * Puts an installation back; its name and alias are numbered where another has them by now. Rejects with
   * NOT_FOUND or SETTINGS_UNWRITABLE.
   */
  async putBack(installationId: string): Promise<void> {
    const { store } = this.parts
    await store.mutex(() => {
      const removed = this.#find(installationId)
      if (!removed) throw goneError()
      const { installation: found, place } = removed
      const { installations } = store
      const name = freeName(found.name, installations)
      const isTaken = installations.some(({ alias }) => isSameWord(alias, found.alias))
      const alias = isTaken ? aliasFor({ ...found, name }, installations) : found.alias
      store.putBack({ ...found, name, alias }, place)
    })
  }

  /** The keys of its own secrets, and of those that its earlier versions alone have. */
  #namesOf(installation: Installation): string[] {
    const earlier = this.parts.store.rawEarlierOf(installation.installationId)
    return [...namesOf(installation, 'own').values(), ...earlier.flatMap(keptNamesOf)]
  }

  #find(installationId: string): RemovedInstallation | undefined {
    return this.list.find((one) => one.installation.installationId === installationId)
  }
}

/** For what was deleted meanwhile. */
export function goneError(): AppError {
  return new AppError(
    'NOT_FOUND',
    'The removal can no longer be undone because the server was deleted.',
    { hint: 'Add the server again from the catalog.' },
  )
}
