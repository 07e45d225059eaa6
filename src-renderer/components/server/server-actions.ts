import { offerId } from '../../../src-shared/domain/server-json/offer'
import type { Sharing } from '../../../src-shared/domain/sharing'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { StartPolicy, ToolChanges } from '../../../src-shared/domain/tool-choice'
import type { RequestChannel, RequestInput } from '../../../src-shared/ipc/contract'
import { call } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import { showToast } from '../../ui/overlays/toast'
import { formPlace } from '../status/suggested-action'

/** Sends a request to main and shows a toast when it is rejected; true when it was noted. */
async function request<C extends RequestChannel>(
  channel: C,
  input: RequestInput<C>,
): Promise<boolean> {
  return (await attempt(call(channel, input))) === 'done'
}

/** What a user can ask of a server; the outcome comes back as a status. */
export const serverActions = {
  start: (installationId: string) => request('server.start', { installationId }),
  /** While it is starting this cancels; a second one while stopping ends the process immediately. */
  stop: (installationId: string) => request('server.stop', { installationId }),
  /** Runs an official setup of a runner, then starts the server. */
  setUp: (installationId: string, setupId: string) =>
    request('runner.setUp', { installationId, setupId }),
  /** Fetches again what a runner keeps of its package, then starts the server. */
  repair: (installationId: string) => request('server.repair', { installationId }),
  restart: (installationId: string) => request('server.restart', { installationId }),
  /** Replaces the connection of a running server by a new one, without a gap. */
  reconnect: (installationId: string) => request('server.reconnect', { installationId }),
  setEnabled: (installationId: string, enabled: boolean) =>
    request('installation.setEnabled', { installationId, enabled }),
  setChanges: (installationId: string, changes: ToolChanges) =>
    request('tools.setChanges', { installationId, changes }),
  setStarts: (installationId: string, starts: StartPolicy) =>
    request('tools.setStarts', { installationId, starts }),
  setSharing: (installationId: string, sharing: Sharing) =>
    request('server.setSharing', { installationId, sharing }),
  /** Stops one process that not all apps share. */
  endInstance: (installationId: string, instanceId: number) =>
    request('server.endInstance', { installationId, instanceId }),
  remove: (installationId: string, deleteSecrets: boolean) =>
    request('installation.remove', { installationId, deleteSecrets, canTakeBack: true }),
  /** Puts back what was just removed. */
  takeBack: (installationId: string) => request('installation.takeBack', { installationId }),
} as const

/** The form of a server at the field of its port, with a free one in it; where no field surely holds it, the form. */
export async function placeForPort(
  installationId: string,
  taken: number | undefined,
): Promise<string> {
  const { fieldKey, port } = await call('server.findPort', { installationId, taken })
  const form = fieldKey === null ? 'configure' : formPlace(fieldKey, [String(port)])
  return `/servers/${installationId}/${form}`
}

/** The set-up screen for another copy of an installation, which begins with the same stored secrets. */
export async function placeForAnotherCopy(installationId: string): Promise<string> {
  const { offer, source } = await call('installation.read', { installationId })
  if (source === 'hand') return `/by-hand?like=${installationId}`
  const { entryId } = await call('catalog.readInstalled', { installationId })
  return `/setup/${encodeURIComponent(entryId)}/${offerId(offer)}?like=${installationId}`
}

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
