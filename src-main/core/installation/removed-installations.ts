import { AppError } from '../../../src-shared/domain/app-error'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import { freeName, isSameWord } from './check-draft'
import type { StoredSecrets } from './secrets/stored-secrets'
import { aliasFor } from './store/alias'
import type { InstallationStore, RemovedInstallation } from './store/installation-store'

/** The installations that were removed and can still be taken back: all that is theirs is still there. */
export class RemovedInstallations {
  constructor(
    private readonly store: InstallationStore,
    private readonly stored: StoredSecrets,
  ) {}

  get list(): readonly RemovedInstallation[] {
    return this.store.removed
  }

  find(installationId: string): Installation | undefined {
    return this.#find(installationId)?.installation
  }

  /**
   * Takes an installation from the list. Its own secrets are deleted with it, or they become stored ones now,
   * which it uses if it is taken back. Rejects with NOT_FOUND, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE; it stays then.
   */
  async setAside(installationId: string, deleteSecrets: boolean): Promise<void> {
    await this.store.lane(async () => {
      const installation = this.store.find(installationId)
      if (!installation) throw new AppError('NOT_FOUND', 'This server is no longer in the list.')
      if (deleteSecrets) this.store.setAside(installation)
      else await this.stored.keepOf(installation, (user, kept) => this.store.setAside(user, kept))
    })
  }

  /**
   * Puts an installation back; its name and alias are numbered where another has them by now. Rejects with
   * NOT_FOUND or SETTINGS_UNWRITABLE.
   */
  async putBack(installationId: string): Promise<void> {
    await this.store.lane(() => {
      const removed = this.#find(installationId)
      if (!removed) throw goneError()
      const { installation: found, place } = removed
      const { installations } = this.store
      const name = freeName(found.name, installations)
      const isTaken = installations.some(({ alias }) => isSameWord(alias, found.alias))
      const alias = isTaken ? aliasFor({ ...found, name }, installations) : found.alias
      this.store.putBack({ ...found, name, alias }, place)
    })
  }

  #find(installationId: string): RemovedInstallation | undefined {
    return this.list.find((one) => one.installation.installationId === installationId)
  }
}

/** For what was deleted meanwhile. */
export function goneError(): AppError {
  return new AppError('NOT_FOUND', 'It can no longer be taken back: it is deleted by now.', {
    hint: 'Set it up again from the catalog.',
  })
}
