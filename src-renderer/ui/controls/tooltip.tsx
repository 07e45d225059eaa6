import { Tooltip as Radix } from 'radix-ui'
import type { JSX, ReactElement } from 'react'

/** Tooltip of the wrapped control: a shortcut or a full name, never its only label. */
export function Tooltip(props: {
  readonly content: string
  readonly shortcut?: string | undefined
  readonly side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that accepts a ref and event handlers. */
  readonly children: ReactElement
}): JSX.Element {
  const { content, shortcut, side = 'bottom', children } = props
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="tip inline-flex items-center gap-2 text-small font-medium"
          side={side}
          sideOffset={6}
          collisionPadding={8}
        >
          <span className="truncate">{content}</span>
          {shortcut !== undefined && <span>{shortcut}</span>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Shares one delay between neighboring tooltips; mounted once around the app. */
export const TooltipProvider = Radix.Provider
