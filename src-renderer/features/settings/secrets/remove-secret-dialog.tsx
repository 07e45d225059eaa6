import type { ReactElement } from 'react'

import type { StoredSecretView } from '../../../../src-shared/domain/installation/stored-secret'
import { call } from '../../../ipc/call'
import { attempt } from '../../../ipc/tell-failure'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog'
import { showToast } from '../../../ui/overlays/toast'

/** Asks before a stored secret is removed, and says which servers lose it. */
export function RemoveSecretDialog(props: {
  readonly secret: StoredSecretView
  readonly onClose: () => void
}): ReactElement {
  const { secret, onClose } = props
  const { secretId, name, uses } = secret
  const isUsed = uses.length > 0
  async function remove(): Promise<void> {
    await call('secret.remove', { secretId, evenIfUsed: isUsed })
    showToast({ message: `${name} removed.` })
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${name}?`}
      description={
        isUsed
          ? 'The value is deleted permanently. These servers won’t start until you enter another value:'
          : 'The value is deleted permanently. No server uses this secret.'
      }
      confirmLabel={`Remove ${name}`}
      onConfirm={() => attempt(remove())}
      focusAfterId="store-secret"
    >
      {isUsed && (
        <ul className="marked above-2 below-2 break">
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
