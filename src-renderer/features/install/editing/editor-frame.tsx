import './install.css'

import type { FocusEvent, KeyboardEvent, ReactElement, ReactNode } from 'react'

import { LeaveDialog } from '../../../frame/leave-dialog'
import type { LeaveGuard } from '../../../frame/use-leave-guard'
import type { Crumb } from '../../../ui/layout/page'
import { Page } from '../../../ui/layout/page'
import type { Submission } from './use-submit'

/** The page of a server's form: its fields and its preview side by side, consent at the foot, and a guard of what is not saved. */
export function EditorFrame(props: {
  readonly title: string
  readonly crumbs: readonly Crumb[]
  readonly unsaved: boolean
  /** Buttons of the bar. */
  readonly actions?: ReactNode
  readonly foot: ReactNode
  readonly guard: LeaveGuard
  readonly submission: Submission
  /** What it asks in a dialog. */
  readonly dialog?: ReactNode
  /** The column of the form and the preview. */
  readonly children: ReactNode
}): ReactElement {
  const { title, crumbs, unsaved, actions, foot, guard, submission } = props
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submission.submit('approve')
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
      <LeaveDialog guard={guard} isBusy={submission.busy !== null} />
    </Page>
  )
}

/** The column of fields; `onPlace` hears which element of it has the focus. */
export function EditorColumn(props: {
  /** Its name, where no heading of it is one. */
  readonly label?: string
  /** Element id of the heading that names it. */
  readonly labelledBy?: string
  readonly onPlace: (target: Element | null) => void
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
      onFocus={(event: FocusEvent) => onPlace(event.target)}
      onBlur={() => onPlace(null)}
    >
      <div className="form-inner col gap-6">{children}</div>
    </form>
  )
}
