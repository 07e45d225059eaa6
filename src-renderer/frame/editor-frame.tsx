import type { FocusEvent, JSX, KeyboardEvent, ReactElement, ReactNode } from 'react'

import { type Crumb, Page } from '../ui/layout/page'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog'
import type { LeaveGuard } from './use-leave-guard'

/** The page of a form: its fields and what comes of them side by side, a foot that ends it, and a guard of what is not saved. */
export function EditorFrame(props: {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly unsaved: boolean
  /** Buttons of the bar. */
  readonly actions?: ReactNode
  readonly foot: ReactNode
  readonly guard: LeaveGuard
  /** It is being saved. */
  readonly isBusy: boolean
  /** Enter with Ctrl or Cmd. */
  readonly onFinish: () => void
  /** What it asks in a dialog. */
  readonly dialog?: ReactNode
  /** The column of the form and the preview. */
  readonly children: ReactNode
}): ReactElement {
  const { title, crumbs, unsaved, actions, foot, guard, isBusy, onFinish } = props
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onFinish()
  }
  return (
    <Page
      layout="columns"
      title={title}
      crumbs={crumbs}
      actions={
        <>
          {unsaved && <span className="faint hide-narrow">Unsaved</span>}
          {actions}
        </>
      }
      foot={foot}
    >
      <div className="configure fill stack" onKeyDown={onKeyDown}>
        {props.children}
      </div>
      {props.dialog}
      <LeaveDialog guard={guard} isBusy={isBusy} />
    </Page>
  )
}

/** The column of fields; `onPlace` hears which element of it has the focus. */
export function EditorColumn(props: {
  /** Its name, where no heading of it is one. */
  readonly label?: string
  /** Element id of the heading that names it. */
  readonly labelledBy?: string
  readonly onPlace?: (target: Element | null) => void
  readonly children: ReactNode
}): ReactElement {
  const { label, labelledBy, onPlace, children } = props
  return (
    <form
      className="form scroll anchor"
      aria-label={label}
      aria-labelledby={labelledBy}
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onFocus={(event: FocusEvent) => onPlace?.(event.target)}
      onBlur={() => onPlace?.(null)}
    >
      <div className="form-inner col gap-6">{children}</div>
    </form>
  )
}

const UNSAVED = {
  title: 'Leave without saving?',
  description: 'Your changes will be discarded.',
} as const

/** Asks whether what is typed or chosen on a guarded page may be lost; `isBusy` while it is being saved, which leads on automatically. */
export function LeaveDialog({
  guard,
  isBusy,
  words = UNSAVED,
}: {
  readonly guard: LeaveGuard
  readonly isBusy: boolean
  readonly words?: { readonly title: string; readonly description: string }
}): JSX.Element {
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
