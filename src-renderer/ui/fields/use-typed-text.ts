import { type ComponentProps, useRef, useState } from 'react'

import type { TextInput } from './field'

type Input = Pick<
  ComponentProps<typeof TextInput>,
  'value' | 'onValueChange' | 'onBlur' | 'onKeyDown'
>

/** A text that is saved with Enter or on blur; Esc restores `value`, the current one. */
export function useTypedText(
  value: string,
  /** Saves the text; resolves to a sentence if it is invalid. */
  onSave: (text: string) => Promise<string | undefined> | string | undefined,
): {
  readonly isTyped: boolean
  readonly problem: string | undefined
  readonly save: (text: string) => Promise<void>
  readonly input: Input
} {
  // Null while the current value is shown, so that an external change appears.
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const sending = useRef<string>(undefined)
  const save = async (text: string): Promise<void> => {
    // After Enter, the blur would save the same text again.
    if (sending.current === text) return
    sending.current = text
    setTyped(text)
    const failure = text === value ? undefined : await onSave(text)
    sending.current = undefined
    setProblem(failure)
    // Text typed in the meantime stays.
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
