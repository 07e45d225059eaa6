import type { ComponentProps, JSX } from 'react'

import { Button } from '../controls/button'
import { Dialog, useDialogWork } from './dialog'

/** What came of what was confirmed; the dialog stays where it is not answered yet. */
export type Outcome = 'done' | 'failed' | 'stays'

/** Asks before something that cannot be undone; the safe answer has the focus. */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel = 'Cancel',
  danger = true,
  onConfirm,
  focusAfterId,
  ...shown
}: Pick<
  ComponentProps<typeof Dialog>,
  'open' | 'onClose' | 'title' | 'description' | 'children'
> & {
  /** The verb and the name: "Remove GitHub". */
  readonly confirmLabel: string
  readonly cancelLabel?: string
  readonly danger?: boolean
  /** Its button is busy until this is settled; then the dialog is closed, unless it stays. */
  readonly onConfirm: () => Outcome | Promise<Outcome>
  /** What gets the focus once it is done, where what opened the dialog goes with it. */
  readonly focusAfterId?: string
}): JSX.Element {
  const { isBusy, onCloseAutoFocus, run } = useDialogWork(focusAfterId)
  const confirm = async (): Promise<boolean> => {
    let outcome: Outcome = 'failed'
    try {
      outcome = await onConfirm()
    } finally {
      if (outcome !== 'stays') shown.onClose()
    }
    return outcome === 'done'
  }
  return (
    <Dialog
      {...shown}
      isAlert
      leave={cancelLabel}
      onCloseAutoFocus={onCloseAutoFocus}
      actions={
        <Button
          size="form"
          variant={danger ? 'danger-solid' : 'primary'}
          busy={isBusy}
          onClick={() => void run(confirm)}
        >
          <span className="truncate">{confirmLabel}</span>
        </Button>
      }
    />
  )
}
