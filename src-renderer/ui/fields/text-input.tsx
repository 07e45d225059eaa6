import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactElement, ReactNode, Ref } from 'react'

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
