import type { EarlierVersionRef } from '../../../src-shared/domain/installation/earlier-version'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { showFailure } from '../../ipc/show-failure'
import { appStore } from '../../stores/app-store'
import { showToast, type ToastMessage } from '../../ui/overlays/toast'
import { visibleText } from '../../ui/text/format'

/** The server that goes back, and how other pages are reached. */
export type GoingBack = {
  readonly installationId: string
  readonly name: string
  readonly navigate: (to: string) => void
}

function serverAt(installationId: string): ServerView | undefined {
  const servers = appStore.getState().app?.servers ?? []
  return servers.find((one) => one.installationId === installationId)
}

/** Whether it shall run: also one that a new version keeps from running. */
function isMeantToRun(installationId: string): boolean {
  const kind = serverAt(installationId)?.status.kind
  return kind !== undefined && kind !== 'stopped' && kind !== 'stopping'
}

/** The one that is meant: what is known of it may be older than another way back to the same version. */
function meantBy(installationId: string, to: EarlierVersionRef): EarlierVersionRef {
  const earlier = serverAt(installationId)?.earlier ?? []
  const isSame = ({ versionKey }: EarlierVersionRef): boolean => versionKey === to.versionKey
  return earlier.find(isSame) ?? earlier.find(({ version }) => version === to.version) ?? to
}

/**
 * Brings an earlier version of a server back, and leads to its command where that has to be approved; says why where
 * main rejects.
 */
export async function goBack(server: GoingBack, to: EarlierVersionRef): Promise<void> {
  const { installationId, name, navigate } = server
  const { versionKey } = to
  try {
    const start = isMeantToRun(installationId)
    const { left, asksAgain } = await call('update.goBack', { installationId, versionKey, start })
    const version = visibleText(to.version)
    showToast({
      message: asksAgain
        ? `${name} rolled back to ${version}. The command needs your approval.`
        : `${name} rolled back to ${version}.`,
      ...backAction(server, left),
    })
    if (asksAgain) navigate(`/servers/${installationId}/configure`)
  } catch (thrown) {
    showFailure(thrown)
  }
}

/** The button of a toast that takes a move to another version back; none where nothing is kept. */
export function backAction(
  server: GoingBack,
  left: EarlierVersionRef | null,
): Pick<ToastMessage, 'action'> {
  if (left === null) return {}
  const { installationId } = server
  const label = `Roll back to ${visibleText(left.version)}`
  return {
    action: { label, onAct: () => void goBack(server, meantBy(installationId, left)) },
  }
}
