import { AppError, type AppErrorShape } from '../../../src-shared/domain/app-error'
import type {
  AddedServer,
  AddedServers,
} from '../../../src-shared/domain/installation/configuration'
import { saveHand } from '../by-hand/save-hand'
import type { PastedServer } from '../import/read-server'
import type { InstallationService } from '../installation/installation-service'

/** A server that can be added. */
export type UsableServer = Extract<PastedServer, { kind: 'usable' }>

/**
 * Adds servers one after the other, switched off and not approved, their secrets in the keychain; the first that
 * fails ends it.
 */
export async function addServers(
  chosen: readonly UsableServer[],
  installations: InstallationService,
  onAdded: (installationId: string) => void,
): Promise<AddedServers> {
  const added: AddedServer[] = []
  for (const { index, name, drafted, tools } of chosen) {
    const { made, cwd } = drafted
    const save = { name, made, cwd, budgets: {}, enabled: false, asItIs: true, toolChoice: tools }
    try {
      const { installationId } = await saveHand(installations, save, undefined)
      onAdded(installationId)
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
