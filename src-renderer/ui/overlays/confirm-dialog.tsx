import { AlertDialog as Radix } from 'radix-ui'
import type { ComponentProps, JSX, ReactNode } from 'react'

import { Button } from '../controls/button'
import { useReturn } from '../focus/use-way-back'

/** Stands as long as the dialog is open, so that it knows what had the focus before. */
function Content({ onCloseAutoFocus, ...rest }: ComponentProps<typeof Radix.Content>): JSX.Element {
  const leave = useReturn(onCloseAutoFocus)
  return <Radix.Content {...rest} onCloseAutoFocus={leave} />
}

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
  /** Called when the focus is about to go back to what had it before; see `focusAfter`. */
  readonly onCloseAutoFocus?: (event: Event) => void
}): JSX.Element {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="scrim stack">
          <Content className="dialog float break" {...(onCloseAutoFocus && { onCloseAutoFocus })}>
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="dialog-text soft pretty">{description}</div>
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
          </Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}
