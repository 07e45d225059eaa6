import type { ReactElement } from 'react'
import { useState } from 'react'

import { LEAST_PASSPHRASE } from '../../../src-shared/domain/installation/stored-secret'
import { call } from '../../ipc/call'
import { formProblem } from '../../ipc/tell-failure'
import { FormDialog, type Problems } from '../../ui/overlays/form-dialog'
import { showToast } from '../../ui/overlays/toast'
import { SecretValueField } from './secret-value-field'

function problemsOf(passphrase: string, again: string): Problems {
  if (passphrase.length < LEAST_PASSPHRASE)
    return { passphrase: `Enter at least ${String(LEAST_PASSPHRASE)} characters.` }
  return passphrase === again ? {} : { again: 'The passphrases differ.' }
}

/** Chooses the passphrase of the file that keeps secrets where there is no keychain, or another one. */
export function PassphraseDialog({
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
