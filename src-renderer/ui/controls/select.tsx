import type { ComponentProps, ReactElement } from 'react'

type SelectProps<T extends string> = Omit<ComponentProps<'select'>, 'onChange' | 'value'> & {
  value: T
  onValueChange: (value: T) => void
  options: readonly { value: T; label: string; disabled?: boolean }[]
}

/** The system's own choice list in the frame of the house. */
export function Select<T extends string>(props: SelectProps<T>): ReactElement {
  const { value, onValueChange, options, ...rest } = props
  return (
    <select
      {...rest}
      className="input select"
      value={value}
      onChange={(event) => onValueChange(event.target.value as T)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
