import type { JSX } from 'react'
import { useRef, useState } from 'react'

import { focusAfter } from '../focus/focus-after'
import { ConfirmDialog } from './confirm-dialog'

/** Asks before all of a list is cleared; `onClear` resolves to whether it was. */
export function ClearDialog({
  title,
  description,
  confirmLabel,
  onClear,
  onClose,
}: {
  readonly title: string
  readonly description: string
  readonly confirmLabel: string
  readonly onClear: () => Promise<boolean>
  readonly onClose: () => void
}): JSX.Element {
  const [isBusy, setIsBusy] = useState(false)
  const isCleared = useRef(false)
  const clear = async (): Promise<void> => {
    setIsBusy(true)
    isCleared.current = await onClear()
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      // There is nothing left to clear, so the button takes no focus.
      onCloseAutoFocus={(event) => focusAfter(event, isCleared.current ? 'main' : undefined)}
      title={title}
      description={description}
      confirmLabel={confirmLabel}
      cancelLabel="Keep"
      busy={isBusy}
      onConfirm={() => void clear()}
    />
  )
}
