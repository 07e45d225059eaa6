import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, ReactElement, ReactNode, Ref } from 'react'

type TextInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'ref'> & {
  value: string
  onValueChange: (value: string) => void
  mono?: boolean
  icon?: LucideIcon
  /** Stands inside the frame at the right: a button, a word. */
  suffix?: ReactNode
  inputRef?: Ref<HTMLInputElement>
}

/** A one-line input in the frame of the house. */
export function TextInput(props: TextInputProps): ReactElement {
  const { value, onValueChange, mono = false, icon: Icon, suffix, inputRef, ...rest } = props
  const bad = rest['aria-invalid'] === true
  return (
    <div className={clsx('input', bad && 'is-invalid', rest.disabled === true && 'is-disabled')}>
      {Icon ? <Icon className="icon icon-s faint" aria-hidden="true" /> : null}
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        ref={inputRef}
        className={clsx(mono && 'mono', rest.className)}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
      />
      {suffix}
    </div>
  )
}

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

type CodeAreaProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & {
  value: string
  onValueChange: (value: string) => void
}

/** Several lines of text that a machine reads. */
export function CodeArea({ value, onValueChange, ...rest }: CodeAreaProps): ReactElement {
  return (
    <textarea
      rows={8}
      spellCheck={false}
      autoComplete="off"
      {...rest}
      className="input mono bounded"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}
