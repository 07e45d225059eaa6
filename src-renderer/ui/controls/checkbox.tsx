import type { ComponentProps, ReactElement } from 'react'

type CheckboxProps = Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'checked'> & {
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean) => void
}

/** A box to tick before what it stands for; `className` is that of its line. */
export function Checkbox({
  checked,
  onCheckedChange,
  className = 'tick flex items-center gap-2 min-w-0 wrap-anywhere',
  children,
  ...rest
}: CheckboxProps): ReactElement {
  return (
    <label className={className}>
      <input
        {...rest}
        type="checkbox"
        className="check"
        checked={checked}
        onChange={(event) => onCheckedChange(event.currentTarget.checked)}
      />
      {children}
    </label>
  )
}
