import { Popover as Radix } from 'radix-ui'
import type { JSX, ReactElement, ReactNode } from 'react'

/** A small region below the element that opens it; Esc and a click outside close it. Its owner may hold whether it is open. */
export function Popover({
  trigger,
  label,
  children,
  ...owned
}: {
  /** One button that takes a ref. */
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
