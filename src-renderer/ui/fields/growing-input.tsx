import clsx from 'clsx'
import type { ComponentProps, KeyboardEvent, ReactElement } from 'react'

type GrowingInputProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & {
  value: string
  onValueChange: (value: string) => void
}

/**
 * An input of one line that grows with pasted lines: a one-line input would take the line breaks out
 * of a value without a word. Enter alone adds none; Shift+Enter does.
 */
export function GrowingInput({ value, onValueChange, ...rest }: GrowingInputProps): ReactElement {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey) event.preventDefault()
  }
  return (
    <textarea
      rows={1}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={onKeyDown}
      {...rest}
      className={clsx(
        'input growing-input',
        rest['aria-invalid'] === true && 'is-invalid',
        rest.className,
      )}
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}
