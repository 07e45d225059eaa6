import type { ComponentProps, ReactElement } from 'react'

type SwitchProps = Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'role' | 'checked'> & {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}

/** On or off, immediately. */
export function Switch({ checked, onCheckedChange, ...rest }: SwitchProps): ReactElement {
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      className="switch"
      checked={checked}
      onChange={(event) => onCheckedChange(event.target.checked)}
    />
  )
}
