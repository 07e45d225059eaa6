import { Popover as Radix } from 'radix-ui'
import type { JSX, ReactElement, ReactNode } from 'react'

/** A small region below its trigger; Esc and a click outside close it. The owner may control whether it is open. */
export function Popover({
  trigger,
  label,
  children,
  ...owned
}: {
  /** A button that accepts a ref. */
  readonly trigger: ReactElement
  readonly label: string
  readonly children: ReactNode
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
}): JSX.Element {
  return (
    <Radix.Root {...owned}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="popover float scroll p-3"
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
