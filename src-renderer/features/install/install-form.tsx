import './install.css'

import { ClipboardPaste } from 'lucide-react'
import type { FocusEvent, KeyboardEvent, ReactElement, ReactNode } from 'react'
import { memo, useEffect, useMemo, useState } from 'react'
import { useFormState } from 'react-hook-form'
import { useStore } from 'zustand'

import type { FormField } from '../../../src-shared/form/form-field'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import type { Crumb } from '../../ui/page'
import { keepFocus, Page } from '../../ui/page'
import { ConsentFoot } from './consent-foot'
import { consentWords } from './consent-words'
import type { FieldContext } from './field-context'
import { FieldGroups } from './field-groups'
import { fieldId, knownProblems } from './field-places'
import { FormHead } from './form-head'
import type { FocusPlace, FormView } from './form-view'
import { createFormView, reveal } from './form-view'
import type { GroupedFields } from './group-fields'
import { groupFields, pageOrder } from './group-fields'
import { LegacyDialog } from './legacy-dialog'
import { LivePreview } from './live-preview'
import { useFieldContext } from './use-field-context'
import type { CommandBoard, InstallFormApi, InstallSubject } from './use-install-form'
import { useInstallForm } from './use-install-form'
import type { LeaveGuard } from './use-leave-guard'
import { useLeaveGuard } from './use-leave-guard'
import type { Submission } from './use-submit'
import { useSubmit } from './use-submit'

type InstallFormProps = {
  readonly subject: InstallSubject
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** Focused when the form opens. */
  readonly fieldKey?: string | undefined
  /** Stands before the fields. */
  readonly lead?: ReactNode
}

function placeOf(event: FocusEvent): FocusPlace | null {
  const fieldKey = event.target.closest('[data-field]')?.getAttribute('data-field')
  if (fieldKey === null || fieldKey === undefined) return null
  const entry = event.target.getAttribute('data-entry')
  return { fieldKey, entry: entry === null ? undefined : Number(entry) }
}

function BarActions(props: {
  readonly unsaved: boolean
  readonly onPaste: () => void
}): ReactElement {
  const { unsaved, onPaste } = props
  return (
    <>
      {unsaved && <span className="faint hide-narrow">Unsaved</span>}
      <Button variant="quiet" icon={ClipboardPaste} onClick={onPaste}>
        Paste values
      </Button>
    </>
  )
}

const FormColumn = memo(function FormColumn(props: {
  readonly subject: InstallSubject
  readonly groups: GroupedFields
  readonly context: FieldContext
  readonly view: FormView
  readonly lead: ReactNode
}): ReactElement {
  const { subject, groups, context, view, lead } = props
  return (
    <form
      className="form"
      aria-labelledby="form-title"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onFocus={(event) => view.setState({ place: placeOf(event) })}
      onBlur={() => view.setState({ place: null })}
    >
      <div className="form-inner">
        <FormHead server={subject.server} offer={subject.offer} />
        {lead}
        <FieldGroups
          groups={groups}
          context={context}
          view={view}
          isRemote={subject.offer.kind === 'remote'}
        />
      </div>
    </form>
  )
})

function useFocusedField(view: FormView, fieldKey: string | undefined): void {
  useEffect(() => {
    if (fieldKey === undefined) keepFocus()
    else reveal(view, fieldId(fieldKey))
  }, [view, fieldKey])
}

function LeaveDialog({ guard }: { readonly guard: LeaveGuard }): ReactElement {
  return (
    <ConfirmDialog
      open={guard.asking}
      onOpenChange={guard.stay}
      title="Leave without saving?"
      description="What was typed here is not saved."
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={guard.leave}
    />
  )
}

/** Draws anew when problems or the preview change, and the form around it does not. */
function Foot(props: {
  readonly subject: InstallSubject
  readonly form: InstallFormApi
  readonly board: CommandBoard
  readonly view: FormView
  readonly fields: readonly FormField[]
  readonly submission: Submission
}): ReactElement {
  const { subject, form, board, view, fields, submission } = props
  const preview = useStore(board.state, (state) => state.preview)
  const { errors } = useFormState({ control: form.control })
  const words = consentWords({
    preview,
    approvedPlan: subject.approvedPlan,
    isNew: subject.installationId === undefined,
    isRunning: submission.isRunning,
  })
  return (
    <ConsentFoot
      words={words}
      submission={submission}
      problems={knownProblems(errors, fields, form.getValues('values'))}
      onProblem={(elementId) => reveal(view, elementId)}
    />
  )
}

/** The one form of setup, configure and update: fields, live command, consent. */
export function InstallForm(props: InstallFormProps): ReactElement {
  const { subject, title, crumbs, fieldKey, lead } = props
  const groups = useMemo(() => groupFields(fieldsOfOffer(subject.offer)), [subject.offer])
  const fields = useMemo(() => pageOrder(groups), [groups])
  const { form, board } = useInstallForm(subject, fields)
  const { isDirty } = useFormState({ control: form.control })
  const guard = useLeaveGuard(isDirty)
  const [view] = useState(createFormView)
  const [pasting, setPasting] = useState(false)
  const context = useFieldContext({ form, view, fields, savedSecrets: subject.savedSecrets })
  const submission = useSubmit({ subject, form, view, fields, board, onDone: guard.open })
  const parts = { form, board, view, fields }

  useFocusedField(view, fieldKey)
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
      actions={<BarActions unsaved={isDirty} onPaste={() => setPasting(true)} />}
      foot={<Foot {...parts} subject={subject} submission={submission} />}
    >
      <div className="configure" onKeyDown={onKeyDown}>
        <FormColumn subject={subject} groups={groups} context={context} view={view} lead={lead} />
        <LivePreview {...parts} of={subject.of} secretsInMemory={context.secretsInMemory} />
      </div>
      {pasting ? (
        <LegacyDialog
          onClose={() => setPasting(false)}
          subject={subject}
          form={form}
          onLeave={guard.open}
        />
      ) : null}
      <LeaveDialog guard={guard} />
    </Page>
  )
}
