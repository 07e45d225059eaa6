import type { ReactElement } from 'react'
import { useState } from 'react'

import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { Button } from '../../ui/controls/button'
import { askUnlock } from './ask-unlock'
import { PassphraseDialog } from './passphrase-dialog'

/** The step that the place of secrets offers: to encrypt them in a file, to change its passphrase, or to unlock it. */
export function PassphraseButton({
  secretStore: { kind },
}: {
  readonly secretStore: SecretStoreState
}): ReactElement | null {
  const [isOpen, setIsOpen] = useState(false)
  if (kind === 'locked')
    return (
      <Button size="small" onClick={askUnlock}>
        Unlock secrets
      </Button>
    )
  if (kind !== 'memory' && kind !== 'file') return null
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        {kind === 'memory' ? 'Keep in an encrypted file' : 'Change passphrase'}
      </Button>
      {isOpen && <PassphraseDialog isNew={kind === 'memory'} onClose={() => setIsOpen(false)} />}
    </>
  )
}
