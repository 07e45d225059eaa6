import { type ComponentProps, useRef, useState } from 'react'

import type { TextInput } from './field'

type Input = Pick<
  ComponentProps<typeof TextInput>,
  'value' | 'onValueChange' | 'onBlur' | 'onKeyDown'
>

/** A text that is saved with Enter or when its field is left; Esc brings back `value`, which is in force. */
export function useTypedText(
  value: string,
  /** Saves the text; resolves to a sentence when it cannot be taken. */
  onSave: (text: string) => Promise<string | undefined> | string | undefined,
): {
  readonly isTyped: boolean
  readonly problem: string | undefined
  readonly save: (text: string) => Promise<void>
  readonly input: Input
} {
  // Null while what is in force is shown, so that a change from elsewhere appears.
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const sending = useRef<string>(undefined)
  const save = async (text: string): Promise<void> => {
    // Enter saves, and leaving the field would save the same again.
    if (sending.current === text) return
    sending.current = text
    setTyped(text)
    const failure = text === value ? undefined : await onSave(text)
    sending.current = undefined
    setProblem(failure)
    // What was typed meanwhile stays.
    if (failure === undefined) setTyped((now) => (now === text ? null : now))
  }
  const saveNow = (): void => {
    if (typed !== null) void save(typed.trim())
  }
  const input: Input = {
    value: typed ?? value,
    onValueChange: setTyped,
    onBlur: saveNow,
    onKeyDown: (event) => {
      if (event.key === 'Enter') saveNow()
      if (event.key !== 'Escape' || typed === null) return
      event.stopPropagation()
      setTyped(null)
      setProblem(undefined)
    },
  }
  return { isTyped: typed !== null, problem, save, input }
}
