import { type ReactElement, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { call } from '../../ipc/call'
import { formProblem } from '../../ipc/show-failure'
import { useApp } from '../../stores/app-store'
import { ProblemText } from '../../ui/fields/problem-text'
import { FormDialog, type Problems } from '../../ui/overlays/form-dialog'
import { showToast } from '../../ui/overlays/toast'
import { SecretValueField } from './secret-dialog'

/** The encrypted file waits for its passphrase. */
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
