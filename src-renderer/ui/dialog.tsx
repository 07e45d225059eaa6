import { Dialog as Radix } from 'radix-ui'
import type { JSX, ReactNode } from 'react'

/** A question or a small form over the page; Esc and a click outside close it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  children,
  actions,
  onCloseAutoFocus,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  /** For lists and long texts. */
  readonly wide?: boolean
  readonly children?: ReactNode
  /** Buttons at the foot, the main one last. */
  readonly actions: ReactNode
  /** Called when the focus is about to go back to what opened it; see `focusAfter`. */
  readonly onCloseAutoFocus?: (event: Event) => void
}): JSX.Element {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim">
          <Radix.Content
            className={wide ? 'dialog is-wide' : 'dialog'}
            {...(onCloseAutoFocus && { onCloseAutoFocus })}
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
