import type { ReactElement } from 'react'
import { useState } from 'react'

import { askUnlock } from '../components/secret/ask-unlock'
import { call } from '../ipc/call'
import { tellFailure } from '../ipc/tell-failure'
import { Button } from '../ui/controls/button'
import { Banner } from '../ui/layout/banner'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog'
import { showToast } from '../ui/overlays/toast'

async function deleteFile(): Promise<'done' | 'failed'> {
  try {
    await call('secret.deleteFile', {})
    showToast({ message: 'Encrypted secrets deleted.' })
    return 'done'
  } catch (thrown) {
    tellFailure(thrown)
    return 'failed'
  }
}

/** That the encrypted file waits for its passphrase, and the way out where nobody knows it. */
export function LockedBanner(): ReactElement {
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <Banner
      severity="warn"
      title="Your secrets are locked."
      action={
        <>
          <Button size="small" variant="quiet" onClick={() => setIsDeleting(true)}>
            Forgot passphrase?
          </Button>
          <Button size="small" onClick={askUnlock}>
            Unlock secrets
          </Button>
        </>
      }
    >
      Servers that need a secret can’t start.
      {isDeleting && (
        <ConfirmDialog
          title="Delete the encrypted secrets?"
          description="Without the passphrase nobody can read them. Your servers and apps stay, and ask for their keys and sign-ins again."
          confirmLabel="Delete secrets"
          onConfirm={deleteFile}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Banner>
  )
}
