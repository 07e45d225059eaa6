import { errorMessage } from '../../../src-shared/domain/error-message'
import { isWanted } from '../../../src-shared/domain/running/run-status'
import type { InstallationService } from '../installation/installation-service'
import { goneError } from '../installation/removed-installations'
import { background } from '../lifecycle/background'
import { reachesSecrets, type SecretVault } from '../secrets/secret-vault'
import type { ServerDirectory } from '../servers/server-directory'
import type { SignIns } from '../sign-in/sign-in'
import type { Notices } from '../state/changes'

/** How long a server that was removed can be taken back, in ms: longer than the word of it is on the screen. */
const TAKE_BACK_MS = 30_000

export type ServerRemovalParts = {
  readonly installations: Pick<InstallationService, 'removed'>
  readonly servers: Pick<ServerDirectory, 'read' | 'stop' | 'remove'>
  /** What keeps something of each server. */
  readonly keepers: readonly { remove(installationId: string): void | Promise<void> }[]
  readonly signIns: Pick<SignIns, 'remove'>
  readonly secrets: Pick<SecretVault, 'ready' | 'state'>
  readonly notices: Pick<Notices, 'add' | 'dismiss'>
}

/** `wasWanted`: it ran, or waited for its next start. */
type Pending = { readonly timer: NodeJS.Timeout; readonly wasWanted: boolean }

/**
 * Removes servers. One that can be taken back is stopped and out of sight immediately, and deleted half a minute
 * later, at the end of the app, or at its next start.
 */
export class ServerRemovals {
  readonly #pending = new Map<string, Pending>()

  constructor(private readonly parts: ServerRemovalParts) {}

  /** Removes a server so that it can be taken back. Rejects with NOT_FOUND or SETTINGS_UNWRITABLE; it stays then. */
  async begin(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { servers, installations } = this.parts
    const { status } = servers.read(installationId)
    const wasWanted = isWanted(status)
    await servers.stop(installationId)
    await installations.removed.setAside(installationId, deleteSecrets)
    const end = (): void => background(this.#end(installationId), 'removing a server for good')
    this.#pending.set(installationId, { timer: setTimeout(end, TAKE_BACK_MS), wasWanted })
  }

  /** Puts a removed server back, and starts it again if it ran. Rejects with NOT_FOUND or SETTINGS_UNWRITABLE. */
  async takeBack(installationId: string): Promise<void> {
    const { servers, installations } = this.parts
    const pending = this.#pending.get(installationId)
    if (!pending) throw goneError()
    // It must not end while it is put back.
    clearTimeout(pending.timer)
    this.#pending.delete(installationId)
    try {
      await installations.removed.putBack(installationId)
    } catch (error) {
      this.#pending.set(installationId, { ...pending, timer: pending.timer.refresh() })
      throw error
    }
    if (pending.wasWanted) servers.read(installationId).start()
  }

  /** Deletes a server with all that is its own. Rejects as `InstallationService.remove` does, and with the system's error for its files. */
  async remove(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { servers, installations, keepers, signIns } = this.parts
    await signIns.remove(installationId)
    await installations.removed.remove(installationId, deleteSecrets)
    // It may have been started while its secrets were deleted.
    await servers.remove(installationId)
    // It is gone by now: what one can't delete keeps no other from deleting.
    const removing = keepers.map(async (keeper) => keeper.remove(installationId))
    const results = await Promise.allSettled(removing)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Deletes what this run removed and can still be taken back; never rejects. */
  async endAll(): Promise<void> {
    for (const installationId of [...this.#pending.keys()]) await this.#end(installationId)
  }

  /**
   * Deletes what an earlier run removed and did not come to delete; never rejects. What may be signed in waits for
   * a run that reaches its tokens, as they would be forgotten.
   */
  async endLeft(): Promise<void> {
    const { installations, secrets } = this.parts
    const left = installations.removed.list
    if (left.length === 0) return
    await secrets.ready
    for (const { installation } of left)
      if (reachesSecrets(secrets.state) || installation.offer.kind !== 'remote')
        await this.#end(installation.installationId)
  }

  /** From now on it cannot be taken back. What fails is reported; while its secrets are left, the next start tries again. */
  async #end(installationId: string): Promise<void> {
    const { installations, notices } = this.parts
    const name = installations.removed.find(installationId)?.name
    if (name === undefined) return
    clearTimeout(this.#pending.get(installationId)?.timer)
    this.#pending.delete(installationId)
    const noticeId = `removed-${installationId}`
    try {
      await this.remove(installationId, true)
      notices.dismiss(noticeId)
    } catch (thrown) {
      const message = errorMessage(thrown)
      const isTriedAgain = installations.removed.find(installationId) !== undefined
      const rest = isTriedAgain
        ? 'Patchbay retries at the next start.'
        : 'Some of its files may be left in the profile folder.'
      notices.add({
        noticeId,
        severity: 'warn',
        title: `Some data of ${name} was not deleted`,
        message: `The server is removed from the list. ${message} ${rest}`,
      })
    }
  }
}
