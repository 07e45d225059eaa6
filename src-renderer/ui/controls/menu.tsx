import clsx from 'clsx'
import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import { type JSX, type ReactElement, type ReactNode, useId } from 'react'

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
          className="menu float"
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

/** One thing to do; `hint` says below its name what it does. */
export function MenuAction({
  icon: Icon,
  danger = false,
  disabled = false,
  hint,
  testId,
  onSelect,
  children,
}: {
  readonly icon?: LucideIcon
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly hint?: string | undefined
  readonly testId?: string
  readonly onSelect: () => void
  readonly children: ReactNode
}): JSX.Element {
  const id = useId()
  const spoken =
    hint === undefined ? {} : { 'aria-labelledby': id, 'aria-describedby': `${id}-hint` }
  return (
    <Radix.Item
      className={clsx(
        'menu-row pick row gap-2',
        danger && 'tone is-error',
        hint !== undefined && 'at-top',
      )}
      disabled={disabled}
      data-testid={testId}
      onSelect={onSelect}
      {...spoken}
    >
      {Icon && <Icon className={clsx('icon', !danger && 'soft')} aria-hidden />}
      {hint === undefined ? (
        children
      ) : (
        <span className="stack">
          <span id={id}>{children}</span>
          <span id={`${id}-hint`} className="faint small pretty">
            {hint}
          </span>
        </span>
      )}
    </Radix.Item>
  )
}

/** A line between groups. */
export function MenuLine(): JSX.Element {
  return <Radix.Separator className="ruled-above above-1 below-1" />
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
        <Radix.RadioItem
          key={choice.value}
          className="menu-row pick row gap-2"
          value={choice.value}
        >
          <span className="icon icon-s inline-row">
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

/** Any of several, the chosen ones ticked; the menu stays open. */
export function MenuChecks<T extends string>({
  values,
  onChange,
  choices,
}: {
  readonly values: readonly T[]
  readonly onChange: (value: T, isChosen: boolean) => void
  readonly choices: readonly { readonly value: T; readonly label: string }[]
}): JSX.Element[] {
  return choices.map(({ value, label }) => (
    <Radix.CheckboxItem
      key={value}
      className="menu-row pick row gap-2"
      checked={values.includes(value)}
      onCheckedChange={(isChosen) => onChange(value, isChosen)}
      onSelect={(event) => event.preventDefault()}
    >
      <span className="icon icon-s inline-row">
        <Radix.ItemIndicator>
          <Check className="icon icon-s" aria-hidden />
        </Radix.ItemIndicator>
      </span>
      {label}
    </Radix.CheckboxItem>
  ))
}
