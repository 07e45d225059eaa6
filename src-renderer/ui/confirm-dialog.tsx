import { AlertDialog as Radix } from 'radix-ui'
import type { JSX, ReactNode } from 'react'

import { Button } from './button'

/** Asks before something that cannot be undone; the safe answer has the focus. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = true,
  busy = false,
  onConfirm,
  onCloseAutoFocus,
}: {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description: ReactNode
  readonly children?: ReactNode
  /** The verb and the name: "Remove GitHub". */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  readonly busy?: boolean
  /** The dialog stays open until its owner closes it. */
  readonly onConfirm: () => void
  /** Called when the focus is about to go back to what opened it; see `focusAfter`. */
  readonly onCloseAutoFocus?: (event: Event) => void
}): JSX.Element {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim">
          <Radix.Content className="dialog" {...(onCloseAutoFocus && { onCloseAutoFocus })}>
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="dialog-text">{description}</div>
            </Radix.Description>
            {children}
            <div className="actions">
              <Radix.Cancel asChild>
                <Button size="form">{cancelLabel}</Button>
              </Radix.Cancel>
              <Button
                size="form"
                variant={danger ? 'danger-solid' : 'primary'}
                busy={busy}
                onClick={onConfirm}
              >
                <span className="cut">{confirmLabel}</span>
              </Button>
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
