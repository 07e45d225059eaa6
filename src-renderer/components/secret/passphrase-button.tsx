import { type ReactElement, useState } from 'react'

import { LEAST_PASSPHRASE } from '../../../src-shared/domain/installation/stored-secret'
import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { formProblem } from '../../ipc/show-failure'
import { Button } from '../../ui/controls/button'
import { FormDialog, type Problems } from '../../ui/overlays/form-dialog'
import { showToast } from '../../ui/overlays/toast'
import { SecretValueField } from './secret-dialog'
import { askUnlock } from './unlock-dialog'

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

function problemsOf(passphrase: string, again: string): Problems {
  if (passphrase.length < LEAST_PASSPHRASE)
    return { passphrase: `Enter at least ${String(LEAST_PASSPHRASE)} characters.` }
  return passphrase === again ? {} : { again: 'The passphrases differ.' }
}

/** Chooses the passphrase of the file that keeps secrets where there is no keychain, or another one. */
function PassphraseDialog({
  isNew,
  onClose,
}: {
  readonly isNew: boolean
  readonly onClose: () => void
}): ReactElement {
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const confirm = async (): Promise<Problems> => {
    const problems = problemsOf(passphrase, again)
    if (Object.keys(problems).length > 0) return problems
    try {
      await call('secret.encrypt', { passphrase })
      showToast({ message: isNew ? 'Secrets encrypted in a file.' : 'Passphrase changed.' })
      onClose()
      return {}
    } catch (thrown) {
      return formProblem(thrown)
    }
  }
  return (
    <FormDialog
      title={isNew ? 'Keep secrets in an encrypted file' : 'Change passphrase'}
      description="Patchbay asks for the passphrase at each start, or reads it from PATCHBAY_PASSPHRASE. Without it, the secrets can’t be recovered."
      submitLabel={isNew ? 'Encrypt' : 'Change'}
      onSubmit={confirm}
      onClose={onClose}
    >
      {({ id, problems }) => (
        <>
          <SecretValueField
            id={`${id}-passphrase`}
            problem={problems.passphrase}
            hint="Several words that nobody guesses are easy to remember."
            value={passphrase}
            onChange={setPassphrase}
          />
          <SecretValueField
            id={`${id}-again`}
            label="Passphrase again"
            problem={problems.again}
            value={again}
            onChange={setAgain}
          />
        </>
      )}
    </FormDialog>
  )
}
