import type { ReactElement } from 'react'
import { useRef, useState } from 'react'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { call } from '../../../ipc/call'
import { tellFailure } from '../../../ipc/tell-failure'
import { focusAfter } from '../../../ui/focus/focus-after'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { showToast } from '../../../ui/overlays/toast'

/** Asks before a stored secret is removed, and says which servers lose it. */
export function RemoveSecretDialog(props: {
  readonly secret: StoredSecretView
  readonly onClose: () => void
}): ReactElement {
  const { secret, onClose } = props
  const { secretId, name, uses } = secret
  const [isBusy, setIsBusy] = useState(false)
  const isGone = useRef(false)
  const isUsed = uses.length > 0
  async function remove(): Promise<void> {
    setIsBusy(true)
    // Before the answer comes, the row may be gone, and this dialog with it.
    isGone.current = true
    try {
      await call('secret.remove', { secretId, evenIfUsed: isUsed })
      showToast({ message: `${name} was removed.` })
    } catch (thrown) {
      isGone.current = false
      tellFailure(thrown)
    }
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${name}?`}
      description={
        isUsed
          ? 'Its value is deleted for good. These fields will be missing, and their servers do not start until each has another value:'
          : 'Its value is deleted for good. No server uses it.'
      }
      confirmLabel={`Remove ${name}`}
      cancelLabel="Keep"
      busy={isBusy}
      onConfirm={() => void remove()}
      onCloseAutoFocus={(event) => focusAfter(event, isGone.current ? 'store-secret' : undefined)}
    >
      {isUsed && (
        <ul className="secret-users bulleted above-2 below-2 break">
          {uses.map(({ installationId, fieldKey, serverName, label }) => (
            <li key={`${installationId} ${fieldKey}`}>
              {serverName}: {label}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  )
}
