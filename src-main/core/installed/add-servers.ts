import { AppError, type AppErrorShape } from '../../../src-shared/domain/app-error'
import type {
  AddedServer,
  AddedServers,
} from '../../../src-shared/domain/installation/configuration'
import { previewCustomServer } from '../custom-server/preview-custom-server'
import { saveCustomServerDraft } from '../custom-server/save-custom-server'
import type { PastedServer } from '../import/read-server'
import type { InstallationService } from '../installation/installation-service'
import type { SignIns } from '../sign-in/sign-ins'

/** A server that can be added. */
export type UsableServer = Extract<PastedServer, { kind: 'usable' }>

/**
 * Adds servers one after the other, their secrets and the clients of their sign-ins in the keychain; the first that fails ends it. Those whose plan was
 * approved and that lack no value are enabled, the others are switched off. Fails with CONSENT_REQUIRED where another
 * plan was approved than the one that would run.
 */
export async function addServers(
  chosen: readonly UsableServer[],
  installations: InstallationService,
  signIns: Pick<SignIns, 'of'>,
  onAdded: (installationId: string) => void,
): Promise<AddedServers> {
  const added: AddedServer[] = []
  for (const { index, name, drafted, tools, choice, oauth } of chosen) {
    const { made, cwd } = drafted
    const { approvedPlan } = choice
    const isComplete =
      previewCustomServer(installations, made, cwd, undefined).problems.length === 0
    const enabled = approvedPlan !== undefined && isComplete
    const common = { name, made, cwd, budgets: {}, enabled, asItIs: true, toolChoice: tools }
    const save = { ...common, ...(approvedPlan !== undefined && { approvedPlan }) }
    try {
      const { installationId } = await saveCustomServerDraft(installations, save, undefined)
      onAdded(installationId)
      added.push({ installationId, name, index, starts: enabled })
      if (oauth) await signIns.of(installationId).prepare(oauth.client, oauth.scopes)
    } catch (error) {
      const isAdded = added.at(-1)?.index === index
      const what = isAdded ? 'was added without its OAuth client' : 'was not added'
      return { added, problem: problemOf(`${name} ${what}.`, error) }
    }
  }
  return { added, problem: null }
}

/** Anything but an AppError is a defect and thrown on. */
function problemOf(what: string, error: unknown): AppErrorShape {
  if (!(error instanceof AppError)) throw error
  const { code, message, hint } = error
  return { code, message: `${what} ${message}`, hint }
}
