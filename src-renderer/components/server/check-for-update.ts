import { call } from '../../ipc/call'
import { tellFailure } from '../../ipc/tell-failure'
import { showToast } from '../../ui/overlays/toast'

/** Asks the registry for a newer version and tells the outcome; the place that shows it, or that opens a file of one, or null. */
export async function checkForUpdate(server: {
  readonly installationId: string
  readonly name: string
}): Promise<string | null> {
  const { installationId, name } = server
  try {
    const { source } = await call('installation.read', { installationId })
    // No registry has it: a newer file is what there can be.
    if (source === 'bundle') return `/bundle?newer-of=${encodeURIComponent(installationId)}`
    const entry = await call('update.check', { installationId })
    if (entry !== null)
      return `/servers/${installationId}/update/${encodeURIComponent(entry.entryId)}`
    showToast({ message: `${name} is up to date.` })
  } catch (thrown) {
    tellFailure(thrown)
  }
  return null
}
