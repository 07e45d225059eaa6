import { type JSX, useId, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { Checkbox } from '../../ui/controls/choice'
import { ConfirmDialog, type Outcome } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { formatCount } from '../../ui/text/format'
import { serverActions } from './actions'

/** The part of a server that the removal dialog needs. */
export type Removable = Pick<ServerView, 'installationId' | 'name' | 'hasSecrets' | 'earlier'>

/** Maximum number of names in the dialog. */
const MAX_NAMES = 8

/** Whether a server has secrets, including those that only an earlier version uses. */
function holdsSecrets({ hasSecrets, earlier }: Removable): boolean {
  return hasSecrets || earlier.some((version) => version.hasSecrets)
}

/** Removes servers one by one; returns those that main did not reject. */
async function removeAll(
  servers: readonly Removable[],
  deleteSecrets: boolean,
): Promise<readonly Removable[]> {
  const removed: Removable[] = []
  for (const server of servers) {
    const { installationId } = server
    if (await serverActions.remove(installationId, holdsSecrets(server) && deleteSecrets))
      removed.push(server)
  }
  return removed
}

/** Restores the last one first, so that each returns to its position. */
async function undoRemovals(servers: readonly Removable[]): Promise<void> {
  for (const { installationId } of servers.toReversed())
    await serverActions.takeBack(installationId)
}

function called(servers: readonly Removable[]): string {
  const [first] = servers
  return servers.length === 1 && first ? first.name : `${formatCount(servers.length)} servers`
}

/** Confirms the removal of servers and the fate of their secrets; a toast offers an undo. */
export function RemoveDialog(props: {
  readonly servers: readonly Removable[]
  readonly onClose: () => void
  readonly onRemoved?: (() => void) | undefined
}): JSX.Element {
  const { servers, onClose, onRemoved } = props
  const [deleteSecrets, setDeleteSecrets] = useState(true)
  const remove = async (): Promise<Outcome> => {
    const removed = await removeAll(servers, deleteSecrets)
    if (removed.length === 0) return 'failed'
    showToast({
      message: `${called(removed)} removed.`,
      action: { label: 'Undo', onAct: () => void undoRemovals(removed) },
    })
    onRemoved?.()
    return 'done'
  }
  const isOne = servers.length === 1
  const keptId = useId()
  const more = servers.length - MAX_NAMES
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${called(servers)}?`}
      description={
        isOne
          ? 'Patchbay stops the server and deletes its configuration.'
          : 'Patchbay stops the servers and deletes their configurations.'
      }
      confirmLabel={`Remove ${called(servers)}`}
      onConfirm={remove}
    >
      {!isOne && (
        <ul className="mt-3" aria-label="Servers to remove">
          {servers.slice(0, MAX_NAMES).map(({ installationId, name }) => (
            <li key={installationId} className="truncate">
              {name}
            </li>
          ))}
          {more > 0 && <li className="text-muted">{`and ${formatCount(more)} more`}</li>}
        </ul>
      )}
      {servers.some(holdsSecrets) && (
        <>
          <Checkbox
            className="mt-3 flex min-w-0 items-center gap-2"
            aria-describedby={keptId}
            checked={deleteSecrets}
            onCheckedChange={setDeleteSecrets}
          >
            Also delete secrets
          </Checkbox>
          <p className="text-muted" id={keptId}>
            {deleteSecrets
              ? 'Shared secrets are kept.'
              : 'Secrets become shared secrets, listed in Settings.'}
          </p>
        </>
      )}
    </ConfirmDialog>
  )
}
