import { type ComponentProps, type ReactElement, type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

import { MIN_PASSPHRASE } from '../../../src-shared/domain/installation/stored-secret'
import type { SecretStoreState } from '../../../src-shared/domain/state/app-state'
import { secretWarnings } from '../../../src-shared/form/secret-warnings'
import { call } from '../../ipc/call'
import { formProblem } from '../../ipc/show-failure'
import { useApp } from '../../stores/app-store'
import { Button } from '../../ui/controls/button'
import { Field, ProblemText, TextInput, WarnText } from '../../ui/fields/field'
import { SecretInput } from '../../ui/fields/secret-input'
import { FormDialog, type Problems } from '../../ui/overlays/dialog'
import { showToast } from '../../ui/overlays/toast'

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
      onClose={() => promptStore.setState({ isOpen: false })}
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

/** Prompts for the passphrase of the locked secrets file until the user dismisses the dialog. */
export function UnlockDialog(): ReactElement | null {
  const secretStore = useApp((state) => state.app?.secretStore)
  const isPrompted = useStore(promptStore, ({ isOpen }) => isOpen)
  return secretStore?.kind === 'locked' && isPrompted ? <Unlock locked={secretStore} /> : null
}

/** Initially open, so that a locked file prompts for its passphrase on page load. */
const promptStore = createStore<{ readonly isOpen: boolean }>(() => ({ isOpen: true }))

/** Opens the passphrase prompt. */
export function promptUnlock(): void {
  promptStore.setState({ isOpen: true })
}

/** The button for the secret store's next step: encrypt secrets in a file, change the passphrase, or unlock the file. */
export function PassphraseButton({
  secretStore: { kind },
}: {
  readonly secretStore: SecretStoreState
}): ReactElement | null {
  const [isOpen, setIsOpen] = useState(false)
  if (kind === 'locked')
    return (
      <Button size="small" onClick={promptUnlock}>
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

function problemsOf(passphrase: string, confirmation: string): Problems {
  if (passphrase.length < MIN_PASSPHRASE)
    return { passphrase: `Enter at least ${String(MIN_PASSPHRASE)} characters.` }
  return passphrase === confirmation ? {} : { again: 'The passphrases differ.' }
}

function PassphraseDialog(props: {
  readonly isNew: boolean
  readonly onClose: () => void
}): ReactElement {
  const { isNew, onClose } = props
  const [passphrase, setPassphrase] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const confirm = async (): Promise<Problems> => {
    const problems = problemsOf(passphrase, confirmation)
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
            value={confirmation}
            onChange={setConfirmation}
          />
        </>
      )}
    </FormDialog>
  )
}

type TypedSecret = { readonly name: string; readonly value: string }

type SecretDialogProps = Pick<
  ComponentProps<typeof FormDialog>,
  'title' | 'description' | 'onClose' | 'focusAfterId'
> & {
  /** Initial name; missing if the dialog has no name field. */
  readonly name?: string
  readonly nameInput?: Pick<ComponentProps<typeof TextInput>, 'maxLength' | 'placeholder'>
  readonly withValue?: boolean
  readonly valueLabel?: string
  readonly confirmLabel: string
  /** Saves the input. The dialog then closes unless this resolves to `stays`; a rejection is shown and keeps the input. */
  readonly onConfirm: (typed: TypedSecret) => Promise<unknown>
}

function missingIn({ name, value }: TypedSecret, props: SecretDialogProps): Problems {
  return {
    ...(props.name !== undefined && name.trim() === '' && { name: 'Enter a name.' }),
    ...(props.withValue && value.trim() === '' && { value: 'Enter a value.' }),
  }
}

/** Prompts for a name, a secret value, or both. */
export function SecretDialog(props: SecretDialogProps): ReactElement {
  const { title, description, withValue, valueLabel = 'Value', onClose, focusAfterId } = props
  const [name, setName] = useState(props.name ?? '')
  const [value, setValue] = useState('')
  const confirm = async (): Promise<Problems> => {
    const missing = missingIn({ name, value }, props)
    if (Object.keys(missing).length > 0) return missing
    try {
      if ((await props.onConfirm({ name: name.trim(), value })) !== 'stays') onClose()
      return {}
    } catch (thrown) {
      return formProblem(thrown)
    }
  }
  return (
    <FormDialog
      {...{ title, description, onClose, focusAfterId }}
      submitLabel={props.confirmLabel}
      onSubmit={confirm}
    >
      {({ id, problems }) => (
        <>
          {props.name !== undefined && (
            <Field id={`${id}-name`} label="Name" problem={problems.name}>
              {(ids) => (
                <TextInput
                  {...ids}
                  aria-required
                  maxLength={120}
                  {...props.nameInput}
                  value={name}
                  onValueChange={setName}
                />
              )}
            </Field>
          )}
          {withValue && (
            <SecretValueField
              id={`${id}-value`}
              label={valueLabel}
              problem={problems.value}
              below={<SecretWarnings text={value} />}
              value={value}
              onChange={setValue}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** An input for a secret or passphrase in a dialog. */
function SecretValueField(props: {
  readonly id: string
  readonly label?: string
  readonly hint?: ReactNode
  readonly problem: string | undefined
  readonly below?: ReactNode
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement {
  const { id, label = 'Passphrase', value, onChange, ...shown } = props
  return (
    <Field id={id} label={label} {...shown}>
      {(ids) => (
        <SecretInput
          ids={ids}
          value={value}
          onValueChange={(next) => onChange(next ?? '')}
          required
        />
      )}
    </Field>
  )
}

/** Warnings about a secret while it is typed. */
export function SecretWarnings({ text }: { readonly text: string }): ReactElement {
  const securityWarnings = secretWarnings(text)
  return (
    <WarnText>{securityWarnings.length === 0 ? undefined : securityWarnings.join(' ')}</WarnText>
  )
}
