import { RadioGroup } from 'radix-ui'
import type { ReactElement } from 'react'

type SegmentedProps<T extends string> = {
  label: string
  /** Empty while nothing is chosen. */
  value: T | ''
  onValueChange: (value: T) => void
  options: readonly { value: T; label: string }[]
  id?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  'aria-required'?: true | undefined
}

/** A few choices side by side, one of them taken; arrows move between them. */
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
