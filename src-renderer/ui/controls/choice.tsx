import { RadioGroup } from 'radix-ui'
import type { ComponentProps, ReactElement } from 'react'

type SegmentedProps<T extends string> = {
  label: string
  /** Empty if nothing is chosen. */
  value: T | ''
  onValueChange: (value: T) => void
  options: readonly { value: T; label: string }[]
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  'aria-required'?: true | undefined
}

/** A row of choices, one of them selected; arrow keys move between them. */
export function Segmented<T extends string>(props: SegmentedProps<T>): ReactElement {
  const { label, value, onValueChange, options, ...rest } = props
  return (
    <RadioGroup.Root
      {...rest}
      className="segments flex-wrap"
      orientation="horizontal"
      aria-label={label}
      value={value}
      onValueChange={(next) => onValueChange(next as T)}
    >
      {options.map((option) => (
        <RadioGroup.Item key={option.value} className="bare" value={option.value}>
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}

type SelectProps<T extends string> = Omit<ComponentProps<'select'>, 'onChange' | 'value'> & {
  value: T
  onValueChange: (value: T) => void
  options: readonly { value: T; label: string; disabled?: boolean }[]
}

/** The native select element in the app's design. */
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

type CheckboxProps = Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'checked'> & {
  readonly checked: boolean
  readonly onCheckedChange: (checked: boolean) => void
}

/** A checkbox with its label; `className` is for its row. */
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

type SwitchProps = Omit<ComponentProps<'input'>, 'onChange' | 'type' | 'role' | 'checked'> & {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
}

/** A switch with immediate effect. */
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
