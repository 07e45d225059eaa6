import { Dialog as Radix } from 'radix-ui'
import type { JSX, ReactNode } from 'react'

/** A question or a small form over the page; Esc and a click outside close it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons at the foot, the main one last. */
  readonly actions: ReactNode
}): JSX.Element {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim">
          <Radix.Content
            className="dialog"
            {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          >
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="dialog-text">{description}</div>
              </Radix.Description>
            )}
            {children}
            <div className="actions">{actions}</div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
