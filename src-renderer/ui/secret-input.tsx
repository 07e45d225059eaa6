import { LockKeyhole, Undo2 } from 'lucide-react'
import type { ReactElement } from 'react'
import { useState } from 'react'

import { Button } from './button'
import type { ControlIds } from './field'
import { TextInput } from './text-input'

type SecretInputProps = {
  readonly ids: ControlIds
  /** Undefined while untouched: what is saved stays. */
  readonly value: string | undefined
  readonly onValueChange: (value: string | undefined) => void
  readonly onBlur: () => void
  /** Says where the saved value is; undefined when nothing is saved. */
  readonly savedText: string | undefined
  readonly placeholder?: string | undefined
  readonly required: boolean
}

/** A value that is typed once and never shown again; a saved one can be replaced or removed. */
export function SecretInput(props: SecretInputProps): ReactElement {
  const { ids, value, onValueChange, savedText } = props
  const [replacing, setReplacing] = useState(false)
  const isSaved = savedText !== undefined
  if (isSaved && value === undefined && !replacing)
    return (
      <SavedSecret
        {...props}
        onReplace={() => setReplacing(true)}
        onRemove={() => onValueChange('')}
      />
    )
  function keep(): void {
    setReplacing(false)
    onValueChange(undefined)
  }
  return (
    <TextInput
      {...ids}
      type="password"
      autoComplete="new-password"
      mono
      icon={LockKeyhole}
      // The person just pressed Replace, and the button they pressed is gone.
      autoFocus={replacing}
      aria-required={props.required || undefined}
      placeholder={isSaved && value === '' ? 'Removed when you save' : props.placeholder}
      value={value ?? ''}
      onValueChange={(next) => onValueChange(next === '' && replacing ? undefined : next)}
      onBlur={props.onBlur}
      suffix={
        isSaved && (
          <Button variant="quiet" size="small" icon={Undo2} onClick={keep}>
            Keep the saved one
          </Button>
        )
      }
    />
  )
}

function SavedSecret(
  props: SecretInputProps & { readonly onReplace: () => void; readonly onRemove: () => void },
): ReactElement {
  const { ids, savedText, onReplace, onRemove } = props
  return (
    <div
      className="input is-saved"
      id={ids.id}
      role="group"
      aria-labelledby={`${ids.id}-label`}
      aria-describedby={ids['aria-describedby']}
      tabIndex={-1}
    >
      <LockKeyhole className="icon icon-s" aria-hidden />
      <span className="grow cut">{savedText}</span>
      <Button aria-describedby={`${ids.id}-label`} variant="quiet" size="small" onClick={onReplace}>
        Replace
      </Button>
      <Button variant="quiet" size="small" aria-describedby={`${ids.id}-label`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  )
}
