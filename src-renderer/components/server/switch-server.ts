import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { showToast } from '../../ui/overlays/toast'
import { serverActions } from './server-actions'

/** Switches a server on or off; one that is switched off stops, which can be taken back for a moment. */
export async function switchServer(
  { installationId, name }: Pick<ServerView, 'installationId' | 'name'>,
  enabled: boolean,
): Promise<void> {
  const isNoted = await serverActions.setEnabled(installationId, enabled)
  if (!isNoted || enabled) return
  showToast({
    message: `${name} turned off.`,
    action: {
      label: 'Undo',
      onAct: () => void serverActions.setEnabled(installationId, true),
    },
  })
}
