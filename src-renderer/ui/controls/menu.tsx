import clsx from 'clsx'
import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { type JSX, type ReactElement, type ReactNode, useId } from 'react'

/** A menu below its trigger. */
export function Menu(props: {
  /** A button that accepts a ref. */
  readonly trigger: ReactElement
  readonly label: string
  readonly children: ReactNode
  readonly align?: 'start' | 'end'
}): JSX.Element {
  const { trigger, label, children, align = 'end' } = props
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="menu float max-w-80 min-w-44 p-1"
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

/** A menu item; `hint` describes it below its name. */
export function MenuAction(props: {
  readonly icon?: LucideIcon
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly hint?: string | undefined
  readonly testId?: string
  readonly onSelect: () => void
  readonly children: ReactNode
}): JSX.Element {
  const { icon: Icon, danger = false, disabled = false, hint, testId, onSelect, children } = props
  const id = useId()
  const labels =
    hint === undefined ? {} : { 'aria-labelledby': id, 'aria-describedby': `${id}-hint` }
  return (
    <Radix.Item
      className={clsx(
        'menu-row pick flex cursor-default gap-2 select-none',
        danger && 'is-error text-status',
        hint === undefined ? 'items-center' : 'items-start',
      )}
      disabled={disabled}
      data-testid={testId}
      onSelect={onSelect}
      {...labels}
    >
      {Icon && <Icon className={clsx('icon', !danger && 'text-muted')} aria-hidden />}
      {hint === undefined ? (
        children
      ) : (
        <span className="grid">
          <span id={id}>{children}</span>
          <span id={`${id}-hint`} className="text-small text-pretty text-faint">
            {hint}
          </span>
        </span>
      )}
    </Radix.Item>
  )
}

/** A separator between groups. */
export function MenuSeparator(): JSX.Element {
  return <Radix.Separator className="mt-1 mb-1 border-t border-line" />
}

const TICK = (
  <span className="icon icon-s inline-flex items-center">
    <Radix.ItemIndicator>
      <Check className="icon icon-s" aria-hidden />
    </Radix.ItemIndicator>
  </span>
)

/** A group of exclusive choices. */
export function MenuChoices<T extends string>(props: {
  readonly value: T
  readonly onChange: (value: T) => void
  readonly choices: readonly { readonly value: T; readonly label: string }[]
}): JSX.Element {
  const { value, onChange, choices } = props
  return (
    <Radix.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as T)}>
      {choices.map((choice) => (
        <Radix.RadioItem
          key={choice.value}
          className="menu-row pick flex cursor-default items-center gap-2 select-none"
          value={choice.value}
        >
          {TICK}
          {choice.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

/** A group of independent choices; the menu stays open. */
export function MenuChecks<T extends string>(props: {
  readonly values: readonly T[]
  readonly onChange: (value: T, isChosen: boolean) => void
  readonly choices: readonly { readonly value: T; readonly label: string }[]
}): JSX.Element[] {
  const { values, onChange, choices } = props
  return choices.map(({ value, label }) => (
    <Radix.CheckboxItem
      key={value}
      className="menu-row pick flex cursor-default items-center gap-2 select-none"
      checked={values.includes(value)}
      onCheckedChange={(isChosen) => onChange(value, isChosen)}
      onSelect={(event) => event.preventDefault()}
    >
      {TICK}
      {label}
    </Radix.CheckboxItem>
  ))
}
