import type { JSX } from 'react'

import { ConfirmDialog } from '../ui/overlays/dialog'
import type { LeaveGuard } from './use-leave-guard'

const UNSAVED = {
  title: 'Leave without saving?',
  description: 'Your changes will be discarded.',
} as const

/** Asks whether what is typed or chosen on a guarded page may be lost; `isBusy` while it is being saved, which leads on automatically. */
export function LeaveDialog(props: {
  readonly guard: LeaveGuard
  readonly isBusy: boolean
  readonly words?: { readonly title: string; readonly description: string }
}): JSX.Element {
  const { guard, isBusy, words = UNSAVED } = props
  return (
    <ConfirmDialog
      open={guard.asking && !isBusy}
      onClose={guard.stay}
      {...words}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => {
        guard.leave()
        return 'done'
      }}
    />
  )
}
