import { Eye, EyeOff, LockKeyhole, Undo2 } from 'lucide-react'
import { type ClipboardEvent, type ReactElement, useState } from 'react'

import { Button, IconButton } from '../controls/button'
import { Select } from '../controls/choice'
import { type ControlIds, GrowingInput, TextInput } from './field'

type SecretInputProps = {
  readonly ids: ControlIds
  /** Undefined while untouched: the saved value stays. Empty with a saved value: it is deleted when the form is saved. */
  readonly value: string | undefined
  readonly onValueChange: (value: string | undefined) => void
  readonly onBlur?: () => void
  /** Location of the saved value; undefined if nothing is saved. */
  readonly savedText?: string | undefined
  readonly placeholder?: string | undefined
  readonly required: boolean
  /** Choices; nothing can be typed then. */
  readonly choices?: readonly string[] | undefined
}

/** Focuses an element after the next render. */
function focusNext(elementId: string): void {
  requestAnimationFrame(() => document.getElementById(elementId)?.focus())
}

/** A value that is entered once and never shown again; a saved one can be replaced or removed. */
export function SecretInput(props: SecretInputProps): ReactElement {
  const { ids, value, onValueChange, savedText } = props
  const [replacing, setReplacing] = useState(false)
  const isSaved = savedText !== undefined
  function replace(): void {
    setReplacing(true)
    onValueChange(undefined)
    focusNext(ids.id)
  }
  function remove(): void {
    onValueChange('')
    focusNext(`${ids.id}-keep`)
  }
  function keep(): void {
    setReplacing(false)
    onValueChange(undefined)
    focusNext(`${ids.id}-replace`)
  }

  if (isSaved && !replacing && (value === undefined || value === ''))
    return (
      <SavedSecret
        {...props}
        isRemoved={value === ''}
        onReplace={replace}
        onRemove={remove}
        onKeep={keep}
      />
    )
  const newValue = {
    ...props,
    onValueChange: (next: string) => onValueChange(next === '' && isSaved ? undefined : next),
    onKeep: isSaved ? keep : undefined,
  }
  const { choices = [] } = props
  return choices.length > 0 ? (
    <ChosenValue {...newValue} choices={choices} />
  ) : (
    <TypedSecret {...newValue} />
  )
}

type TypedSecretProps = Omit<SecretInputProps, 'onValueChange'> & {
  readonly onValueChange: (value: string) => void
  /** Restores the saved value; missing if nothing is saved. */
  readonly onKeep: (() => void) | undefined
}

function KeepButton(props: {
  readonly id: string
  readonly label?: string
  readonly onKeep: () => void
}): ReactElement {
  const { id, label = 'Keep saved value', onKeep } = props
  return (
    <Button
      id={`${id}-keep`}
      aria-describedby={`${id}-label`}
      variant="quiet"
      size="small"
      icon={Undo2}
      onClick={onKeep}
    >
      {label}
    </Button>
  )
}

/** The choices are visible in the entry; only the selected one is secret. */
function ChosenValue(
  props: TypedSecretProps & { readonly choices: readonly string[] },
): ReactElement {
  const { ids, value = '', required, choices, onKeep } = props
  return (
    <div className="flex items-start gap-1">
      <Select
        {...ids}
        aria-required={required || undefined}
        value={value}
        onValueChange={props.onValueChange}
        onBlur={props.onBlur}
        options={[
          { value: '', label: required ? 'Choose' : 'Not set' },
          ...choices.map((choice) => ({ value: choice, label: choice })),
        ]}
      />
      {onKeep && <KeepButton id={ids.id} onKeep={onKeep} />}
    </div>
  )
}

const LINE_END = /[\r\n]/

/** Returns the value after a paste of several lines, which a one-line input would join; null leaves the paste to the input. */
function pastedLines(event: ClipboardEvent<HTMLInputElement>, value: string): string | null {
  const text = event.clipboardData.getData('text')
  if (!LINE_END.test(text.trim())) return null
  const { selectionStart, selectionEnd } = event.currentTarget
  const end = selectionEnd ?? value.length
  return value.slice(0, selectionStart ?? end) + text + value.slice(end)
}

function TypedSecret(props: TypedSecretProps): ReactElement {
  const { ids, onValueChange, onKeep } = props
  const [isShown, setIsShown] = useState(false)
  const value = props.value ?? ''
  // Stays multi-line when the last line break is deleted, so that the focus stays too.
  const [isTall, setIsTall] = useState(LINE_END.test(value))
  const shared = {
    ...ids,
    'aria-required': props.required || undefined,
    placeholder: props.placeholder,
    value,
    onValueChange,
    onBlur: props.onBlur,
  }
  function paste(event: ClipboardEvent<HTMLInputElement>): void {
    const lines = pastedLines(event, value)
    if (lines === null) return
    event.preventDefault()
    setIsTall(true)
    onValueChange(lines)
    focusNext(ids.id)
  }
  const buttons = (
    <>
      {value === '' ? null : (
        <IconButton
          small
          icon={isShown ? EyeOff : Eye}
          label={isShown ? 'Hide value' : 'Show value'}
          aria-describedby={`${ids.id}-label`}
          onClick={() => setIsShown(!isShown)}
        />
      )}
      {onKeep && <KeepButton id={ids.id} onKeep={onKeep} />}
    </>
  )
  if (isTall)
    return (
      <div className="flex items-start gap-1">
        {/* Multi-line, for example for a private key, which a one-line input would join. */}
        <GrowingInput {...shared} className={isShown ? 'mono' : 'mono is-masked'} />
        {buttons}
      </div>
    )
  return (
    <TextInput
      {...shared}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      mono
      icon={LockKeyhole}
      onPaste={paste}
      suffix={buttons}
    />
  )
}

function SavedSecret(
  props: SecretInputProps & {
    readonly isRemoved: boolean
    readonly onReplace: () => void
    readonly onRemove: () => void
    readonly onKeep: () => void
  },
): ReactElement {
  const { ids, savedText, isRemoved, onReplace, onRemove, onKeep } = props
  const label = `${ids.id}-label`
  return (
    <div
      className="input is-saved"
      id={ids.id}
      role="group"
      aria-labelledby={label}
      aria-describedby={ids['aria-describedby']}
      tabIndex={-1}
    >
      <LockKeyhole className="icon icon-s text-faint" aria-hidden />
      <span className="truncate flex-1" role="status">
        {isRemoved ? 'Removed when you save' : savedText}
      </span>
      <Button
        id={`${ids.id}-replace`}
        aria-describedby={label}
        variant="quiet"
        size="small"
        onClick={onReplace}
      >
        Replace
      </Button>
      {isRemoved ? (
        <KeepButton id={ids.id} label="Keep" onKeep={onKeep} />
      ) : (
        <Button variant="quiet" size="small" aria-describedby={label} onClick={onRemove}>
          Remove
        </Button>
      )}
    </div>
  )
}
