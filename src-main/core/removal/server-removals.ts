import { errorMessage } from '../../../src-shared/domain/error-message'
import { isWanted } from '../../../src-shared/domain/running/run-status'
import type { InstallationService } from '../installation/installation-service'
import { goneError } from '../installation/removed-installations'
import { background } from '../lifecycle/background'
import { reachesSecrets, type SecretVault } from '../secrets/secret-vault'
import type { ServerDirectory } from '../servers/server-directory'
import type { SignIns } from '../sign-in/sign-in'
import type { Notices } from '../state/changes'

/** Time in which a removed server can be put back, in ms: longer than the notice stays on screen. */
const UNDO_MS = 30_000

export type ServerRemovalParts = {
  readonly installations: Pick<InstallationService, 'removed'>
  readonly servers: Pick<ServerDirectory, 'read' | 'stop' | 'remove'>
  /** Parts that store something per server. */
  readonly keepers: readonly { remove(installationId: string): void | Promise<void> }[]
  readonly signIns: Pick<SignIns, 'remove'>
  readonly secrets: Pick<SecretVault, 'ready' | 'state'>
  readonly notices: Pick<Notices, 'add' | 'dismiss'>
}

/** `wasWanted`: the server ran, or waited for its next start. */
type Pending = { readonly timer: NodeJS.Timeout; readonly wasWanted: boolean }

/**
 * Removes servers. A removal that can be undone stops and hides the server immediately. The server is deleted 30 s later, when the app
 * ends, or at its next start.
 */
export class ServerRemovals {
  readonly #pending = new Map<string, Pending>()

  constructor(private readonly parts: ServerRemovalParts) {}

  /** Removes a server so that it can be put back. Rejects with NOT_FOUND or SETTINGS_UNWRITABLE and leaves the server unchanged. */
  async begin(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { servers, installations } = this.parts
    const { status } = servers.read(installationId)
    const wasWanted = isWanted(status)
    await servers.stop(installationId)
    await installations.removed.markRemoved(installationId, deleteSecrets)
    const end = (): void => background(this.#end(installationId), 'removing a server for good')
    this.#pending.set(installationId, { timer: setTimeout(end, UNDO_MS), wasWanted })
  }

  /** Puts a removed server back, and restarts it if it ran. Rejects with NOT_FOUND or SETTINGS_UNWRITABLE. */
  async undo(installationId: string): Promise<void> {
    const { servers, installations } = this.parts
    const pending = this.#pending.get(installationId)
    if (!pending) throw goneError()
    // The deletion must not run while the server is put back.
    clearTimeout(pending.timer)
    this.#pending.delete(installationId)
    try {
      await installations.removed.restore(installationId)
    } catch (error) {
      this.#pending.set(installationId, { ...pending, timer: pending.timer.refresh() })
      throw error
    }
    if (pending.wasWanted) servers.read(installationId).start()
  }

  /** Deletes a server with all its data. Rejects as `InstallationService.remove` does, and with the system's error for its files. */
  async remove(installationId: string, deleteSecrets: boolean): Promise<void> {
    const { servers, installations, keepers, signIns } = this.parts
    await signIns.remove(installationId)
    await installations.removed.remove(installationId, deleteSecrets)
    // The server may have been started while its secrets were deleted.
    await servers.remove(installationId)
    // The server is gone, so one failing part doesn't keep the others from deleting.
    const removing = keepers.map(async (keeper) => keeper.remove(installationId))
    const results = await Promise.allSettled(removing)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Deletes the servers that this run removed and that can still be put back; never rejects. */
  async endAll(): Promise<void> {
    for (const installationId of [...this.#pending.keys()]) await this.#end(installationId)
  }

  /**
   * Deletes the servers that an earlier run removed without deleting; never rejects. A server that may be signed in waits for a run that
   * can reach its tokens, which would otherwise stay behind.
   */
  async deleteRemaining(): Promise<void> {
    const { installations, secrets } = this.parts
    const remaining = installations.removed.list
    if (remaining.length === 0) return
    await secrets.ready
    for (const { installation } of remaining)
      if (reachesSecrets(secrets.state) || installation.offer.kind !== 'remote')
        await this.#end(installation.installationId)
  }

  /** Deletes a removed server for good, and reports failures. While its secrets are left, the next start retries. */
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
      const shouldRetry = installations.removed.find(installationId) !== undefined
      const outcome = shouldRetry
        ? 'Patchbay retries at the next start.'
        : 'Some of its files may be left in the profile folder.'
      notices.add({
        noticeId,
        severity: 'warn',
        title: `Some data of ${name} was not deleted`,
        message: `The server is removed from the list. ${message} ${outcome}`,
      })
    }
  }
}
