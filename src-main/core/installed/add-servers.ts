import { AppError, type AppErrorShape } from '../../../src-shared/domain/app-error'
import type {
  AddedServer,
  AddedServers,
} from '../../../src-shared/domain/installation/configuration'
import { saveHand } from '../by-hand/save-hand'
import type { InstallationService } from '../installation/installation-service'
import type { ServerDirectory } from '../servers/server-directory'
import type { StateFeed } from '../state/state-feed'
import type { PastedServer } from './read-server'

/** A server that can be added. */
export type UsableServer = Extract<PastedServer, { kind: 'usable' }>

/** What servers are added to. */
export type AddingParts = {
  readonly installations: InstallationService
  readonly servers: Pick<ServerDirectory, 'add'>
  readonly feed: Pick<StateFeed, 'serverChanged'>
}

/**
 * Adds servers one after the other, switched off and not approved, their secrets in the keychain; the first that
 * fails ends it.
 */
export async function addServers(
  chosen: readonly UsableServer[],
  { installations, servers, feed }: AddingParts,
): Promise<AddedServers> {
  const added: AddedServer[] = []
  for (const { index, name, drafted, tools } of chosen) {
    const { made, cwd } = drafted
    const save = { name, made, cwd, budgets: {}, enabled: false, asItIs: true, toolChoice: tools }
    try {
      const { installationId } = await saveHand(installations, save, undefined)
      servers.add(installationId)
      feed.serverChanged(installationId)
      added.push({ installationId, name, index })
    } catch (error) {
      return { added, problem: notAdded(name, error) }
    }
  }
  return { added, problem: null }
}

/** Anything but an AppError is a defect and thrown on. */
function notAdded(name: string, error: unknown): AppErrorShape {
  if (!(error instanceof AppError)) throw error
  const { code, message, hint } = error
  return { code, message: `${name} was not added. ${message}`, hint }
}
