import { LockKeyhole } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'

import type { SecretUse } from '../../../../src-shared/domain/installation/stored-secret'
import { SecretDialog } from '../../../components/secret/secret-dialog'
import { fieldPlace } from '../../../components/server/suggested-button'
import { call } from '../../../ipc/call'
import { Button } from '../../../ui/controls/button'
import { showToast } from '../../../ui/overlays/toast'

/** A secret that one server has for itself, with the way to share it. */
export function OwnSecretRow({ use }: { readonly use: SecretUse }): ReactElement {
  const { installationId, fieldKey, serverName, label } = use
  const [isSharing, setIsSharing] = useState(false)
  return (
    <li className="row at-top gap-2">
      <LockKeyhole className="icon icon-s faint" aria-hidden />
      <div className="grow col break">
        <b>{label}</b>
        <span className="soft small">
          used by{' '}
          <Link className="underlined" href={fieldPlace(installationId, fieldKey)}>
            {serverName}
          </Link>{' '}
          only
        </span>
      </div>
      <Button
        variant="quiet"
        size="small"
        aria-label={`Share ${label} of ${serverName}`}
        onClick={() => setIsSharing(true)}
      >
        Share
      </Button>
      {isSharing && (
        <SecretDialog
          title={`Share ${label} of ${serverName}`}
          description="Other servers can then use this secret too. The server keeps using it."
          name={label}
          confirmLabel="Share"
          onConfirm={async ({ name }) => {
            await call('secret.share', { installationId, fieldKey, name })
            showToast({ message: `${name} is now a shared secret.` })
          }}
          onClose={() => setIsSharing(false)}
          focusAfterId="store-secret"
        />
      )}
    </li>
  )
}
