import { AlertDialog as Radix } from 'radix-ui'
import type { ComponentProps, JSX, ReactNode } from 'react'
import { useRef, useState } from 'react'

import { Button } from '../controls/button'
import { focusAfter } from '../focus/restore-focus'
import { useReturn } from '../focus/restore-focus'

/** What came of what was confirmed; the dialog stays where it is not answered yet. */
export type Outcome = 'done' | 'failed' | 'stays'

/** Stands as long as the dialog is open, so that it knows what had the focus before. */
function Content({ onCloseAutoFocus, ...rest }: ComponentProps<typeof Radix.Content>): JSX.Element {
  const leave = useReturn(onCloseAutoFocus)
  return <Radix.Content {...rest} onCloseAutoFocus={leave} />
}

function useConfirming(
  onConfirm: () => Outcome | Promise<Outcome>,
  onClose: () => void,
): { readonly isBusy: boolean; readonly isDone: () => boolean; readonly confirm: () => void } {
  const [isBusy, setIsBusy] = useState(false)
  const isDone = useRef(false)
  const confirm = async (): Promise<void> => {
    setIsBusy(true)
    // Before the answer comes, what the dialog belongs to may be gone, and the dialog with it.
    isDone.current = true
    let outcome: Outcome = 'failed'
    try {
      outcome = await onConfirm()
    } finally {
      isDone.current = outcome === 'done'
      setIsBusy(false)
      if (outcome !== 'stays') onClose()
    }
  }
  return { isBusy, isDone: () => isDone.current, confirm: () => void confirm() }
}

/** Asks before something that cannot be undone; the safe answer has the focus. */
export function ConfirmDialog({
  open = true,
  onClose,
  title,
  description,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = true,
  onConfirm,
  focusAfterId,
}: {
  readonly open?: boolean
  readonly onClose: () => void
  readonly title: string
  readonly description: ReactNode
  readonly children?: ReactNode
  /** The verb and the name: "Remove GitHub". */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** Its button is busy until this is settled; then the dialog is closed, unless it stays. */
  readonly onConfirm: () => Outcome | Promise<Outcome>
  /** What gets the focus once it is done, where what opened the dialog goes with it. */
  readonly focusAfterId?: string
}): JSX.Element {
  const { isBusy, isDone, confirm } = useConfirming(onConfirm, onClose)
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim centered">
          <Content
            className="dialog float break"
            onCloseAutoFocus={(event) => focusAfter(event, isDone() ? focusAfterId : undefined)}
          >
            <Radix.Title className="dialog-title title below-1">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="dialog-text soft pretty">{description}</div>
            </Radix.Description>
            {children}
            <div className="actions flex gap-2">
              <Radix.Cancel asChild>
                <Button size="form">{cancelLabel}</Button>
              </Radix.Cancel>
              <Button
                size="form"
                variant={danger ? 'danger-solid' : 'primary'}
                busy={isBusy}
                onClick={confirm}
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
