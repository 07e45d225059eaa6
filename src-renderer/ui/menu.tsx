import clsx from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { JSX, ReactElement, ReactNode } from 'react'

/** A menu below the element that opens it. */
export function Menu({
  trigger,
  label,
  children,
  align = 'end',
}: {
  /** One button that takes a ref. */
  readonly trigger: ReactElement
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}): JSX.Element {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="menu"
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** One thing to do. */
export function MenuAction({
  icon: Icon,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: {
  readonly icon?: LucideIcon
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onSelect: () => void
  readonly children: ReactNode
}): JSX.Element {
  return (
    <Radix.Item
      className={clsx('menu-row', danger && 'danger')}
      disabled={disabled}
      onSelect={onSelect}
    >
      {Icon && <Icon className="icon" aria-hidden />}
      {children}
    </Radix.Item>
  )
}

/** A line between groups. */
export function MenuLine(): JSX.Element {
  return <Radix.Separator className="menu-line" />
}

/** One of several answers, the chosen one ticked. */
export function MenuChoices<T extends string>({
  value,
  onChange,
  choices,
}: {
  readonly value: T
  readonly onChange: (value: T) => void
  readonly choices: readonly { readonly value: T; readonly label: string }[]
}): JSX.Element {
  const choose = (chosen: string): void => {
    const choice = choices.find((candidate) => candidate.value === chosen)
    if (choice) onChange(choice.value)
  }
  return (
    <Radix.RadioGroup value={value} onValueChange={choose}>
      {choices.map((choice) => (
        <Radix.RadioItem key={choice.value} className="menu-row" value={choice.value}>
          <span className="menu-tick">
            <Radix.ItemIndicator>
              <Check className="icon icon-s" aria-hidden />
            </Radix.ItemIndicator>
          </span>
          {choice.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}
