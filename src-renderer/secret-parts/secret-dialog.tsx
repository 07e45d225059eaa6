import type { ReactElement, ReactNode, SyntheticEvent } from 'react'
import { useId, useRef, useState } from 'react'

import { toErrorShape } from '../ipc/call'
import { Button } from '../ui/controls/button'
import { Field } from '../ui/fields/field'
import { ProblemText } from '../ui/fields/problem-text'
import { SecretInput } from '../ui/fields/secret-input'
import { TextInput } from '../ui/fields/text-input'
import { focusAfter } from '../ui/focus/focus-after'
import { Dialog } from '../ui/overlays/dialog'
import { SecretDoubtsNote } from './secret-doubts-note'

/** What was typed in the dialog; empty where it does not ask for it. */
type TypedSecret = { readonly name: string; readonly value: string }

type SecretDialogProps = {
  readonly title: string
  readonly description: ReactNode
  /** The name to begin with; missing where the dialog asks for none. */
  readonly name?: string
  /** Whether it asks for a value. */
  readonly withValue: boolean
  /** What the value is called, where it is not a value. */
  readonly valueLabel?: string
  readonly confirmLabel: string
  /** Resolves when it is done; what it rejects with is shown, and nothing typed is lost. */
  readonly onConfirm: (typed: TypedSecret) => Promise<void>
  readonly onClose: () => void
  /** Id of the element that has the focus once it is done, where what opened the dialog is gone then. */
  readonly focusAfterId?: string
}

type Problems = { readonly name?: string; readonly value?: string; readonly other?: string }

type DialogState = {
  readonly typed: TypedSecret
  readonly problems: Problems
  readonly isBusy: boolean
  readonly type: (change: Partial<TypedSecret>) => void
  readonly confirm: () => void
  /** Where the focus goes. */
  readonly leave: (event: Event) => void
}

function missingIn({ name, value }: TypedSecret, props: SecretDialogProps): Problems {
  return {
    ...(props.name !== undefined && name.trim() === '' && { name: 'Give the secret a name.' }),
    ...(props.withValue && value.trim() === '' && { value: 'Enter a value.' }),
  }
}

function refusalOf(thrown: unknown): Problems {
  const { code, message, hint } = toErrorShape(thrown)
  const text = hint === undefined ? message : `${message} ${hint}`
  return code === 'NAME_TAKEN' ? { name: text } : { other: text }
}

function useSecretDialog(props: SecretDialogProps, dialogId: string): DialogState {
  const [typed, setTyped] = useState<TypedSecret>({ name: props.name ?? '', value: '' })
  const [problems, setProblems] = useState<Problems>({})
  const [isBusy, setIsBusy] = useState(false)
  const isDone = useRef(false)

  function show(found: Problems): void {
    setProblems(found)
    const part = found.name === undefined ? 'value' : 'name'
    if (found[part] === undefined) return
    requestAnimationFrame(() => document.getElementById(`${dialogId}-${part}`)?.focus())
  }
  async function confirm(): Promise<void> {
    const missing = missingIn(typed, props)
    show(missing)
    if (Object.keys(missing).length > 0) return
    setIsBusy(true)
    // Before the answer comes, the row that the dialog belongs to may be gone, and the dialog with it.
    isDone.current = true
    try {
      await props.onConfirm({ ...typed, name: typed.name.trim() })
      props.onClose()
    } catch (thrown) {
      isDone.current = false
      setIsBusy(false)
      show(refusalOf(thrown))
    }
  }
  return {
    typed,
    problems,
    isBusy,
    type: (change) => setTyped((before) => ({ ...before, ...change })),
    confirm: () => void (isBusy || confirm()),
    leave: (event) => focusAfter(event, isDone.current ? props.focusAfterId : undefined),
  }
}

function NameField(props: { readonly id: string; readonly state: DialogState }): ReactElement {
  const { id, state } = props
  return (
    <Field id={id} label="Name" problem={state.problems.name}>
      {(ids) => (
        <TextInput
          {...ids}
          aria-required
          maxLength={120}
          value={state.typed.name}
          onValueChange={(name) => state.type({ name })}
        />
      )}
    </Field>
  )
}

function ValueField(props: {
  readonly id: string
  readonly label: string
  readonly state: DialogState
}): ReactElement {
  const { id, label, state } = props
  const { value } = state.typed
  return (
    <Field
      id={id}
      label={label}
      problem={state.problems.value}
      below={<SecretDoubtsNote text={value} />}
    >
      {(ids) => (
        <SecretInput
          ids={ids}
          value={value}
          onValueChange={(next) => state.type({ value: next ?? '' })}
          onBlur={() => undefined}
          savedText={undefined}
          required
        />
      )}
    </Field>
  )
}

/** Asks for the name of a stored secret, for its value, or for both. */
export function SecretDialog(props: SecretDialogProps): ReactElement {
  const { title, description, name, withValue, valueLabel = 'Value', confirmLabel, onClose } = props
  const dialogId = useId()
  const state = useSecretDialog(props, dialogId)
  function onSubmit(event: SyntheticEvent): void {
    event.preventDefault()
    // A dialog over a form is its child in React, and would submit that too.
    event.stopPropagation()
    state.confirm()
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      onCloseAutoFocus={state.leave}
      actions={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" form={dialogId} busy={state.isBusy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={dialogId} className="stack gap-3 above-4" noValidate onSubmit={onSubmit}>
        {name !== undefined && <NameField id={`${dialogId}-name`} state={state} />}
        {withValue && <ValueField id={`${dialogId}-value`} label={valueLabel} state={state} />}
        {state.problems.other !== undefined && <ProblemText>{state.problems.other}</ProblemText>}
      </form>
    </Dialog>
  )
}
