import type { JSX } from 'react'
import { useId, useState } from 'react'

import type { ServerView } from '../../src-shared/domain/app-state'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { showToast } from '../ui/toast'
import { serverActions } from './server-actions'

/** Asks before a server is removed, and what shall become of its secrets. */
export function RemoveDialog({
  server: { installationId, name, hasSecrets },
  open,
  onOpenChange,
  onRemoved,
}: {
  readonly server: ServerView
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onRemoved?: () => void
}): JSX.Element {
  const [deleteSecrets, setDeleteSecrets] = useState(true)
  const [busy, setBusy] = useState(false)
  const keptId = useId()
  const remove = async (): Promise<void> => {
    setBusy(true)
    const isNoted = await serverActions.remove(installationId, hasSecrets && deleteSecrets)
    setBusy(false)
    onOpenChange(false)
    if (!isNoted) return
    showToast({ message: `${name} was removed.` })
    onRemoved?.()
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Remove ${name}?`}
      description="It is stopped, and its values are deleted. The catalog keeps it for another time."
      confirmLabel={`Remove ${name}`}
      cancelLabel="Keep"
      busy={busy}
      onConfirm={() => void remove()}
    >
      {hasSecrets && (
        <>
          <label className="line-up dialog-choice">
            <input
              type="checkbox"
              className="check"
              aria-describedby={keptId}
              checked={deleteSecrets}
              onChange={(event) => setDeleteSecrets(event.currentTarget.checked)}
            />
            Delete its secrets too, for good
          </label>
          <p className="soft" id={keptId}>
            {deleteSecrets
              ? 'Stored secrets that other servers can use stay.'
              : 'They become stored secrets, which other servers can use and Settings lists.'}
          </p>
        </>
      )}
    </ConfirmDialog>
  )
}
