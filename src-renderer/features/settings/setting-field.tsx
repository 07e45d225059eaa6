import type { ReactElement, ReactNode } from 'react'
import { useRef, useState } from 'react'

import { Button } from '../../ui/controls/button'
import { Field } from '../../ui/fields/field'
import { TextInput } from '../../ui/fields/text-input'

type SettingFieldProps = {
  readonly id: string
  readonly label: string
  readonly hint: ReactNode
  /** The value in force, as text. */
  readonly value: string
  readonly standard: string
  /** Saves the text; resolves to a sentence when it cannot be taken. */
  readonly onSave: (text: string) => Promise<string | undefined>
  readonly numeric?: boolean
  /** Stands beside the label. */
  readonly note?: ReactNode
  /** What is in force while nothing is typed. */
  readonly placeholder?: string | undefined
  /** Stands inside the frame at the right. */
  readonly suffix?: ReactNode
  /** Stands below the field: a warning that is no part of its description. */
  readonly below?: ReactNode
}

/** The way back to the default of a setting; `standard` names it where it is a number. */
function ResetButton({
  id,
  standard,
  onReset,
}: {
  readonly id: string
  readonly standard?: string | undefined
  readonly onReset: () => void
}): ReactElement {
  return (
    <Button
      variant="quiet"
      size="small"
      aria-describedby={`${id}-label`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onReset}
    >
      {standard === undefined ? 'Reset' : `Reset to ${standard}`}
    </Button>
  )
}

/** A setting that is typed: saved with Enter or when it is left, with its problem under it. */
export function SettingField(props: SettingFieldProps): ReactElement {
  const { id, label, hint, value, standard, onSave, numeric = false } = props
  const { note, placeholder, suffix, below } = props
  // Null while what is in force is shown, so that a change from elsewhere appears.
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)

  const sending = useRef<string>(undefined)

  async function save(text: string): Promise<void> {
    // Enter saves, and leaving the field would save the same again.
    if (sending.current === text) return
    sending.current = text
    const trouble = text === value ? undefined : await onSave(text)
    sending.current = undefined
    setProblem(trouble)
    setTyped(trouble === undefined ? null : text)
  }
  const isStandard = value === standard && typed === null
  return (
    <Field
      id={id}
      label={label}
      note={note === undefined ? undefined : <span className="faint">{note}</span>}
      hint={hint}
      problem={problem}
      below={below}
    >
      {(ids) => (
        <TextInput
          {...ids}
          mono={!numeric}
          className={numeric ? 'num brief' : undefined}
          inputMode={numeric ? 'decimal' : 'url'}
          placeholder={placeholder}
          value={typed ?? value}
          onValueChange={setTyped}
          onBlur={() => {
            if (typed !== null) void save(typed.trim())
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed !== null) void save(typed.trim())
            if (event.key !== 'Escape' || typed === null) return
            event.stopPropagation()
            setTyped(null)
            setProblem(undefined)
          }}
          suffix={
            <>
              {isStandard ? null : (
                <ResetButton
                  id={id}
                  standard={numeric ? standard : undefined}
                  onReset={() => void save(standard)}
                />
              )}
              {suffix}
            </>
          }
        />
      )}
    </Field>
  )
}
