import { type ReactElement, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { LEAST_PASSPHRASE } from '../../../src-shared/domain/installation/stored-secret'
import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { formProblem } from '../../ipc/show-failure'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { ProblemText } from '../../ui/fields/field'
import { FormDialog, type Problems } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'
import { SecretValueField } from './secret-dialog'

type Locked = Extract<SecretStoreState, { readonly kind: 'locked' }>

function Unlock({
  locked: { movesToKeychain, problem },
}: {
  readonly locked: Locked
}): ReactElement {
  const [passphrase, setPassphrase] = useState('')
  const confirm = async (): Promise<Problems> => {
    if (passphrase === '') return { passphrase: 'Enter the passphrase.' }
    try {
      await call('secret.unlock', { passphrase })
      showToast({
        message: movesToKeychain ? 'Secrets moved to your keychain.' : 'Secrets unlocked.',
      })
      return {}
    } catch (thrown) {
      const { other, ...problems } = formProblem(thrown)
      return { ...problems, passphrase: other }
    }
  }
  return (
    <FormDialog
      title="Unlock your secrets"
      description={
        movesToKeychain
          ? 'A keychain is available now. Enter the passphrase once to move your secrets into it.'
          : 'Your secrets are in an encrypted file. Servers that need them start once it is unlocked.'
      }
      submitLabel="Unlock"
      onSubmit={confirm}
      onClose={() => asked.setState({ isOpen: false })}
    >
      {({ id, problems }) => (
        <>
          {problem !== undefined && <ProblemText>{`PATCHBAY_PASSPHRASE: ${problem}`}</ProblemText>}
          <SecretValueField
            id={`${id}-passphrase`}
            problem={problems.passphrase}
            value={passphrase}
            onChange={setPassphrase}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Asks for the passphrase of the encrypted file while it is locked, until the user puts that away. */
export function UnlockDialog(): ReactElement | null {
  const secretStore = useApp((state) => state.app?.secretStore)
  const isAsked = useStore(asked, ({ isOpen }) => isOpen)
  return secretStore?.kind === 'locked' && isAsked ? <Unlock locked={secretStore} /> : null
}

/** Open from the start of the page on, so that a locked file is asked for. */
const asked = createStore<{ readonly isOpen: boolean }>(() => ({ isOpen: true }))

/** Asks for the passphrase of the locked file. */
export function askUnlock(): void {
  asked.setState({ isOpen: true })
}

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

function PassphraseDialog(props: {
  readonly isNew: boolean
  readonly onClose: () => void
}): ReactElement {
  const { isNew, onClose } = props
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
