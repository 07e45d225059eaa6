import type { ComponentProps, ReactElement } from 'react'

type SelectProps = Omit<ComponentProps<'select'>, 'onChange' | 'value'> & {
  value: string
  onValueChange: (value: string) => void
  options: readonly { value: string; label: string; disabled?: boolean }[]
}

/** The system's own choice list in the frame of the house. */
export function Select({ value, onValueChange, options, ...rest }: SelectProps): ReactElement {
  return (
    <select
      {...rest}
      className="input select"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
